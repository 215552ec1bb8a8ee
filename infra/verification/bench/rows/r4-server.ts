import express, { type RequestHandler } from 'express';
import { routes, type Route } from '../../../../contracts/routes/index.ts';
import { groupedRouters } from '../../../http/api.ts';
import { bodyReader, parseJson } from '../../../http/body.ts';
import { listen } from '../../../http/index.ts';
import { expressPath } from '../../../http/paths.ts';
import { requestValidator } from '../../../http/validator.ts';

/** The measured route is the last of its group, where a cost for each path would show. */
const measured = 'sessions.interact';
const table: readonly Route[] = routes.filter(({ side }) => side === 'write');
const others = table.filter(({ id }) => id !== measured);
const last = table.filter(({ id }) => id === measured);

const readBody = bodyReader(1024 * 1024);

function handlerOf(route: Route, validated: boolean): RequestHandler {
  const validate = validated ? requestValidator(route) : undefined;
  return async (req, res) => {
    const body = parseJson(await readBody(req, res), req.headers['content-type'])?.value;
    const input = { query: req.query, headers: req.headers, body };
    const valid = validate ? await validate(input) : input;
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(valid.body));
  };
}

/** Routes are dispatched as write-api does it. */
async function serve(served: readonly Route[], validated: boolean): Promise<number> {
  const app = express().disable('etag').disable('x-powered-by');
  const { routerOf, route: toItsGroup } = groupedRouters();
  for (const route of served) {
    routerOf(route)[route.method.toLowerCase() as 'post'](
      expressPath(route.path),
      handlerOf(route, validated),
    );
  }
  app.use(toItsGroup);
  return (await listen(app, 0)).port;
}

process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({
  ports: {
    validatedAll: await serve([...others, ...last], true),
    validatedOne: await serve(last, true),
    unvalidated: await serve([...others, ...last], false),
  },
});
