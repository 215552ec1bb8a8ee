const { relative } = require('node:path');
const { Suite, interfaces } = require('mocha');

/**
 * Mocha's usual interface, with a suite for each file: hooks outside of any `describe` are of their file, and not of all files
 * that run in the same process.
 */
module.exports = (root) =>
  root.on(Suite.constants.EVENT_FILE_PRE_REQUIRE, (context, path, mocha) => {
    const file = Suite.create(root, relative(process.cwd(), path));
    interfaces.bdd(file);
    file.emit(Suite.constants.EVENT_FILE_PRE_REQUIRE, context, path, mocha);
  });
