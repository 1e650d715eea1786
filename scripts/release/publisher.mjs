// The facts that only the publisher knows, from publisher.json, and where each belongs in the files of the package.
// Invariant: nothing is invented: a fact that is missing leaves every file as it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const isAddress = (text) => /^https:\/\/[\w.-]+\/\S+[^/.\s]$/.test(text);

/** The facts: what each is, and what is wrong with a value; `isOptional` if it may stay empty. */
export const FACTS = {
  repository: {
    is: 'the https address of the repository, without .git',
    isRight: (text) => isAddress(text) && !text.endsWith('.git'),
  },
  homepage: {
    is: 'the https address of the site, if there is one; else that of the repository counts',
    isRight: (text) => /^https:\/\/\S+$/.test(text),
    isOptional: true,
  },
  author: { is: 'the name of the author or of the authors', isRight: (text) => !/[\n'"]/.test(text) },
  date: { is: 'the day of the release, as YYYY-MM-DD, which is not in the future', isRight: isPastDay },
};

function isPastDay(day) {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return time <= Date.now() && new Date(time).toISOString().startsWith(day);
}

/** What is missing or wrong in publisher.json of `folder`, as sentences; and the facts in it. */
export function readFacts(folder) {
  let facts;
  try {
    facts = JSON.parse(readFileSync(join(folder, 'publisher.json'), 'utf8'));
  } catch (error) {
    return { facts: {}, problems: [`publisher.json: ${error.message}`] };
  }
  const problems = Object.entries(FACTS).flatMap(([name, { is, isRight, isOptional = false }]) => {
    const value = facts[name] ?? '';
    if (value === '') return isOptional ? [] : [`publisher.json: fill in "${name}": ${is}`];
    return isRight(value) ? [] : [`publisher.json: "${name}" must be ${is}, got ${JSON.stringify(value)}`];
  });
  const unknown = Object.keys(facts).filter((name) => !(name in FACTS));
  return { facts, problems: [...problems, ...unknown.map((name) => `publisher.json: unknown "${name}"`)] };
}

/** Each file that has facts in it, as it is and as it must be. `facts` must be complete. */
export function filled(folder, facts) {
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  return Object.entries(FILLS).map(([name, fill]) => {
    const text = read(name);
    return { name, text, wanted: fill(text, { ...facts, version }) };
  });
}

const FILLS = {
  'package.json': fillManifest,
  'CHANGELOG.md': (text, { version, date }) =>
    text.replace(
      new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(.*\\)$`, 'm'),
      `## ${version} (${date})`,
    ),
  'CITATION.cff': (text, { repository, author, date }) =>
    withLine(withLine(text, 'repository-code', repository), 'date-released', date).replace(
      /^authors:\n {2}- name: .*$/m,
      () => `authors:\n  - name: '${author}'`,
    ),
  'README.md': fillReadme,
  'README.zh.md': fillReadme,
  'docs/start.md': withoutUnpublished,
  'docs/start.zh.md': withoutUnpublished,
  'SECURITY.md': fillLinks,
};

function fillManifest(text, { repository, homepage = '', author }) {
  const { name, version, description, keywords, license, ...rest } = JSON.parse(text);
  const facts = {
    homepage: homepage || `${repository}#readme`,
    repository: { type: 'git', url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
    author,
  };
  return `${JSON.stringify({ name, version, description, keywords, license, ...rest, ...facts }, null, 2)}\n`;
}

/** A line of CITATION.cff, after the licence if it is not there yet. */
function withLine(text, name, value) {
  const line = `${name}: '${value}'`;
  const there = new RegExp(`^${name}: .*$`, 'm');
  return there.test(text) ? text.replace(there, () => line) : text.replace(/^license: .*$/m, `$&\n${line}`);
}

/** Removes the paragraph that ends with `<!--unpublished-->`. */
function withoutUnpublished(text) {
  return text.replace(/(?:^.+\n)*^.*<!--unpublished-->\n\n/m, '');
}

/** Also points pictures to the repository, because the package does not contain them. */
function fillReadme(text, facts) {
  const published = withoutUnpublished(text).replaceAll(
    /((?:src|srcset)=")[^"]*?(docs\/inside\/[^"]+")/g,
    `$1${facts.repository}/raw/HEAD/$2`,
  );
  return fillLinks(published, facts);
}

/**
 * Turns words between two marks into a link: `<!--repository/FILE-->words<!---->` leads to the repository, and
 * `<!--page-->words<!---->` to the interactive page, if there is a site, which has that page below learn/.
 */
function fillLinks(text, { repository, homepage = '' }) {
  const bases = { repository, page: homepage && `${homepage.replace(/\/$/, '')}/learn/` };
  return text.replace(
    /<!--(repository|page)([\w/.]*)-->(?:\[([^\]]*)\]\([^)]*\)|([^<]*))<!---->/g,
    (all, mark, path, linked, plain) =>
      bases[mark] === '' ? all : `<!--${mark}${path}-->[${linked ?? plain}](${bases[mark]}${path})<!---->`,
  );
}
