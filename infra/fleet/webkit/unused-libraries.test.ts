import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { inNamespaces } from './namespaces.ts';
import { debianBinaries } from './requirements.ts';
import { standInsFor } from './unused-libraries.ts';

describe('libraries that WebKit does not use', () => {
  it('are not loaded by a browser in namespaces', async () => {
    const directory = tempDir('libraries');
    const standIns = await standInsFor(debianBinaries, directory);
    expect(standIns.map(({ place }) => place).join()).to.include('libflite_cmu_time_awb.so');
    const script = `imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2.WebView;
      print(new TextDecoder().decode(imports.gi.GLib.file_get_contents('/proc/self/maps')[1]));`;
    const [program = '', ...args] = inNamespaces(debianBinaries.bubblewrap, {
      directory,
      readable: [],
      standIns,
    });
    const maps = execFileSync(program, [...args, debianBinaries.gjs, '-c', script], { encoding: 'utf8' });
    expect(maps).to.include('libflite.so').and.to.include('libflite_cmu_us_slt.so');
    expect(maps).to.not.include('libflite_cmu_time_awb');
  });
});
