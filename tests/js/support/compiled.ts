// What the compiler says of programs that use the package's declarations, without files of their own.
import { join } from 'node:path';
import ts from 'typescript';

/** The folder of the checkout. */
export const ROOT = join(__dirname, '../../..');

/** How programs are compiled unless a test says otherwise: as strictly as can be, for a host without types of its own. */
const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
};

/** Read once for all programs. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** The program of `files`, texts by their names, beside the package. */
export function programOf(
  files: Readonly<Record<string, string>>,
  options: ts.CompilerOptions = {},
): ts.Program {
  const given = new Map(Object.entries(files).map(([name, text]) => [join(ROOT, 'tests', name), text]));
  const complete = { ...STRICT, ...options };
  const host = ts.createCompilerHost(complete);
  const read = host.getSourceFile.bind(host);
  host.fileExists = (path) => given.has(path) || ts.sys.fileExists(path);
  host.getSourceFile = (path, settings, ...others) => {
    const text = given.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, settings);
    // How a file was parsed depends on what kind of module it is.
    const { impliedNodeFormat } = settings as ts.CreateSourceFileOptions;
    const name = `${impliedNodeFormat} ${path}`;
    if (!sources.has(name)) sources.set(name, read(path, settings, ...others));
    return sources.get(name);
  };
  return ts.createProgram([...given.keys()], complete, host);
}

/** What is wrong with the program, each as the line and the first words of the message. */
export function problemsOf(...program: Parameters<typeof programOf>): string[] {
  return problemsIn(programOf(...program));
}

export function problemsIn(program: ts.Program): string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const [message] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n');
    const line = file && file.text.slice(0, start).split('\n').length;
    return `${file?.fileName.replace(ROOT, '') ?? ''}:${line ?? ''} ${message}`;
  });
}
