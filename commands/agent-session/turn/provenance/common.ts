/** Words that most texts and sites contain, so that they reveal nothing on their own. */
const common: ReadonlySet<string> = new Set(
  (
    'a about above after again against all almost along already also although always am among an and another any anyone anything are around as ask at away ' +
    'back be because been before being below best better between big both but by call came can cannot come could day days did different do does doing done ' +
    'down during each easy else end enough even ever every everyone everything far few find first for found from full fully get gets give given go goes going ' +
    'gone good got great had happy hard has have having he hello help her here hers hi him his how however i if in instead into is it its just keep kind know ' +
    'last later least less let like little long look looking lot made make makes many may maybe me mine might more most much must my near need needs never new ' +
    'next nice no nobody none nor not nothing now of off often ok old on once one only open or other others our out over own part people per perhaps place ' +
    'please put quick quite rather read ready really right said same say says see seen she should show since small so some someone something soon still such ' +
    'sure take tell than thank thanks that the their them then there these they thing things think this those though through time times to today together ' +
    'too took two under until up us use used using very want wanted was way we well went were what when where whether which while who whole whom whose why ' +
    'will wish with within without word words work works would yes yet you your yours ' +
    'account basket buy cart category checkout contact edit email form forms home index info item items list login logout menu name order orders page pages post ' +
    'product products profile search select send settings shop sign site submit user view ' +
    'aber alle als auch auf aus bei bin bis bitte das dass dein dem den der des die dies doch du ein eine einem einen einer er es euch fur ganz gut habe haben ' +
    'hat hier ich ihr im immer ist ja jetzt kann kein keine machen mehr mein mit nach nein nicht noch nur oder ohne schon sehr sein sich sie sind so uber um und ' +
    'uns unser vom von vor war was wenn wer wie wieder wir wird wo zu zum zur ' +
    'au aux avec bien ce cette comme dans de deux du elle en est et etre fait il ils je la le les leur lui mais merci meme mon ne nous ou par pas plus pour que ' +
    'qui sa sans se ses si son sont sur tout tous tres un une vos votre vous ' +
    'al como con cuando del donde el ella esta este esto gracias hay hola las lo los mas mi muy nos para pero por porque que ser si sin sobre son su sus tambien ' +
    'tiene todo tu una uno usted ya'
  ).split(' '),
);

export const isCommon = (word: string): boolean => common.has(word);
