import { expect } from 'chai';
import { pseudonymOf } from './pseudonym.ts';
import { base64, inclusionPath, noteSigner, treeHash } from './testing.ts';
import { verifyAnchor, verifyCheckpoint, type Anchor } from './verify.mjs';

/** Checkpoints of the Go checksum database, as it signed them. */
const goChecksums = {
  vkey: 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
  notes: [
    'go.sum database tree\n6476701\nmb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=\n\n' +
      '\u2014 sum.golang.org Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=\n',
    'go.sum database tree\n15067302\ngJyioq6dwR9n+NjEWORfYmH+ubeYm3kH42BBQ0bTpYI=\n\n' +
      '\u2014 sum.golang.org Az3grp1rvWOs5NKlr/xR4GLN/CDyzzakmt1o61uSxYKpK1SerqOP2ClbX/peKUZjYnyomH5Xz7GZG3TpB7OeKn4E2ww=\n' +
      '\u2014 test.example.com qTGhC/xIPQ0AXKHK6Y+9ypRfuvMZWPjRXM8NiOg5M1WREn07VQXyuIXM3NRNav3ieVFLUqDRK77PWDmL6w8w84UqeAw=\n',
  ],
};

const leaves = (count: number): Buffer[] => Array.from({ length: count }, (_, i) => Buffer.from(`leaf ${i}`));

describe('checkpoints of service/audit', () => {
  const { vkey, note } = noteSigner('example.com/audit');
  const root = base64(treeHash(leaves(7)));
  const text = `example.com/audit/some\n7\n${root}\n`;
  const signed = note(text);

  it('agree with notes of the Go checksum database', () => {
    for (const each of goChecksums.notes) {
      const { origin } = verifyCheckpoint(each, [vkey, goChecksums.vkey]);
      expect(origin).to.equal('go.sum database tree');
    }
  });

  it('return the signed head, also for one of several keys and with a further line', () => {
    const said = { origin: 'example.com/audit/some', size: 7, root };
    expect(verifyCheckpoint(signed, [goChecksums.vkey, vkey])).to.deep.equal(said);
    expect(verifyCheckpoint(note(`${text}a line more\n`), [vkey])).to.deep.equal(said);
  });

  it('throw for every flipped bit', () => {
    const bytes = Buffer.from(signed);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => verifyCheckpoint(other.toString(), [vkey]), `bit ${bit}`).to.throw();
    }
  });

  it('say that no key has signed, and throw a TypeError for a malformed note or key', () => {
    expect(() => verifyCheckpoint(signed, [])).to.throw('none of the keys has signed');
    expect(() => verifyCheckpoint(signed, [goChecksums.vkey])).to.throw('none of the keys has signed');
    const others = [
      '',
      text,
      `${text}\n`,
      signed.trimEnd(),
      `${signed}\n`,
      note('one\nseven\n'),
      note('o\n07\nx\n'),
    ];
    for (const other of [...others, null, 7, {}])
      expect(() => verifyCheckpoint(other as never, [vkey]), JSON.stringify(other)).to.throw(TypeError);
    for (const key of ['', 'name', vkey.replace('example', 'exbmple'), `${vkey}A`, null])
      expect(() => verifyCheckpoint(signed, [key as never]), String(key)).to.throw(TypeError);
  });
});

describe('anchors of service/audit', () => {
  const { vkey, note } = noteSigner('example.com/audit');
  const salt = Buffer.alloc(32, 7);
  const leaf = { pseudonym: pseudonymOf('acc_some', salt), size: 3, root: base64(treeHash(leaves(3))) };
  const tree = [...leaves(4), Buffer.from(`${leaf.pseudonym}\n3\n${leaf.root}\n`), ...leaves(2)];
  const root = base64(treeHash(tree));
  const anchor: Anchor = {
    leaf_index: 4,
    leaf,
    salt: base64(salt),
    ...{ size: 7, root },
    proof: inclusionPath(4, tree).map(base64),
    checkpoint: note(`example.com/audit\n7\n${root}\n`),
  };

  it('hold for their account', () => {
    expect(verifyAnchor(anchor, [vkey])).to.deep.equal({ ok: true });
    expect(verifyAnchor(anchor, [vkey], 'acc_some')).to.deep.equal({ ok: true });
    expect(verifyAnchor(anchor, null, 'acc_some')).to.deep.equal({ ok: true });
  });

  it('do not hold in a tree of another origin, whose notes do not contradict the public tree', () => {
    const text = `example.com/audit/some\n7\n${root}\n`;
    const elsewhere = { ...anchor, checkpoint: note(text) };
    for (const keys of [[vkey], null])
      expect(verifyAnchor(elsewhere, keys)).to.deep.equal({ ok: false, reason: 'Another tree is signed.' });
    const [, byOrigin = ''] = noteSigner('example.com/audit/some').note(text).split('\n\n');
    const claimed = { ...anchor, checkpoint: `${note(text)}${byOrigin}` };
    expect(verifyAnchor(claimed, [vkey]).ok).to.equal(false);
    expect(verifyAnchor(anchor, [goChecksums.vkey, vkey])).to.deep.equal({ ok: true });
  });

  it('say why they do not hold', () => {
    const other = base64(treeHash(leaves(6)));
    const cases: [Partial<Anchor>, RegExp][] = [
      [{ leaf_index: 3 }, /not in the tree/],
      [{ leaf: { ...leaf, size: 4 } }, /not in the tree/],
      [{ leaf: { ...leaf, root: other } }, /not in the tree/],
      [{ leaf: { ...leaf, pseudonym: 'another' } }, /another account/],
      [{ salt: base64(Buffer.alloc(32)) }, /another account/],
      [{ checkpoint: note(`example.com/audit\n7\n${other}\n`) }, /Another head/],
      [
        { checkpoint: noteSigner('example.com/audit').note(`example.com/audit\n7\n${root}\n`) },
        /none of the keys/,
      ],
    ];
    for (const [change, reason] of cases) {
      const verdict = verifyAnchor({ ...anchor, ...change }, [vkey], 'acc_some');
      expect(verdict.ok ? '' : verdict.reason).to.match(reason);
    }
    expect(verifyAnchor(anchor, [vkey], 'acc_other')).to.include({ ok: false });
    expect(verifyAnchor(anchor, [])).to.include({ ok: false });
    expect(() => verifyAnchor({ ...anchor, leaf: null } as never, [vkey])).to.throw(TypeError);
    expect(() => verifyAnchor({ ...anchor, checkpoint: '' }, [vkey])).to.throw(TypeError);
  });
});
