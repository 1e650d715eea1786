// Fetches single packages of another Debian release, without installing them and without changing the machine's apt sources.
// Invariant: no address is written here; the mirror is the one that the machine already uses for its own release, reached
// through a source list and a state folder of our own.
// Source for the two formats read: sources.list(5).

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { updateThen } from './debian.mjs';
import { run, SetupError, withRetries } from './processes.mjs';

/** Downloads these packages of another release into `folder`, which must be empty, and returns the .deb files' paths. */
export async function downloadPackages(names, release, codename, folder) {
  const configuration = writePrivateApt(folder, privateSources(release, codename));
  const downloads = path.join(folder, 'packages');
  mkdirSync(downloads);
  const update = () => run('apt-get', ['-c', configuration, 'update']);
  const wanted = names.map((name) => `${name}/${release}`);
  const download = () => run('apt-get', ['-c', configuration, 'download', ...wanted], { cwd: downloads });
  await withRetries(`downloading ${release} packages`, () => updateThen(update, download));
  return readdirSync(downloads)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => path.join(downloads, name));
}

/** Returns apt's configuration file. The lines beginning with #clear keep the machine's own hooks out; they need root. */
function writePrivateApt(folder, sources) {
  const lists = path.join(folder, 'lists');
  const archives = path.join(folder, 'cache', 'archives');
  for (const made of [lists, archives]) mkdirSync(path.join(made, 'partial'), { recursive: true });
  const sourceList = path.join(folder, 'other-release.sources');
  writeFileSync(sourceList, sources);
  const configuration = path.join(folder, 'apt.conf');
  writeFileSync(
    configuration,
    `#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Update::Error-Mode "any";
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir::Etc::sourcelist "${sourceList}";
Dir::Etc::sourceparts "-";
Dir::State::lists "${lists}/";
Dir::Cache "${path.join(folder, 'cache')}/";
`,
  );
  return configuration;
}

/** Fields of a source that are not taken over. */
const REPLACED = ['types', 'suites', 'components', 'enabled'];

/** The machine's sources of its own release, rewritten to name another one. */
function privateSources(release, codename) {
  const own = readSources().filter((source) => isMainSource(source, codename));
  if (own.length === 0)
    throw new SetupError(`no apt source of this machine names the main part of ${codename}: no known mirror`);
  const stanzas = own.map((source) => {
    const kept = Object.entries(source).filter(([field]) => !REPLACED.includes(field));
    const fields = [['Types', 'deb'], ['Suites', release], ['Components', 'main'], ...kept];
    return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
  });
  return stanzas.join('\n');
}

function isMainSource(source, codename) {
  const has = (field, ...values) =>
    (source[field] ?? '').split(/\s+/).some((value) => values.includes(value));
  return (
    has('types', 'deb') &&
    has('components', 'main') &&
    has('suites', codename, 'stable', 'oldstable') &&
    !/^(no|false)$/i.test(source.enabled ?? 'yes') &&
    !source.uris.startsWith('cdrom:')
  );
}

/** Every apt source of the machine as an object of its fields, with names in lower case as apt ignores their case. */
function readSources() {
  const folder = '/etc/apt/sources.list.d';
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...parts]
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      if (file.endsWith('.sources')) return parseStanzas(readFileSync(file, 'utf8'));
      return file.endsWith('.list') ? parseLines(readFileSync(file, 'utf8')) : [];
    });
}

/** The newer format. A value may go on over indented lines, as an embedded key does; they are kept as they stand. */
function parseStanzas(text) {
  const stanzas = text
    .replace(/^#.*\n?/gm, '')
    .split(/\n\s*\n/)
    .filter((stanza) => stanza.trim() !== '');
  return stanzas.map((stanza) => {
    const fields = stanza.trim().matchAll(/^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm);
    return Object.fromEntries([...fields].map(([, name, value]) => [name.toLowerCase(), value.trimEnd()]));
  });
}

/** The older format: deb [option=value ...] uri suite component ... */
function parseLines(text) {
  const lines = [...text.matchAll(/^\s*(deb)\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+([^#\n]+)/gm)];
  return lines.map(([, types, options = '', uris, suites, components]) => {
    const kept = [...options.matchAll(/(signed-by|trusted|check-valid-until)=(\S+)/gi)];
    const fields = kept.map(([, name, value]) => [name.toLowerCase(), value.replaceAll(',', ' ')]);
    return { types, uris, suites, components: components.trim(), ...Object.fromEntries(fields) };
  });
}
