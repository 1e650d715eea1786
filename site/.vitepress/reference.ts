// The reference: a page for each entry of the package, generated from its declarations, so that a hover and a page say
// the same. Invariant: inherited members are on the page of each class, and nothing is there that a user cannot call.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  CommentTag,
  Converter,
  ReflectionFlag,
  ReflectionKind,
  type Context,
  type Reflection,
} from 'typedoc';
import {
  MarkdownTheme,
  type MarkdownApplication,
  type MarkdownPageEvent,
  type MarkdownThemeContext,
} from 'typedoc-plugin-markdown';

/** The code block of a method has its types, and a class has a page whole: what repeats them goes. */
class ShortTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    const context = super.getRenderContext(page);
    context.partials.signatureReturns = () => '';
    context.partials.hierarchy = () => '';
    return context;
  }
}

/** Writes a page for each of these sources of entries, in the checkout `root`, into `folder`. Takes some ten seconds. */
export async function writeReference(
  root: string,
  sources: readonly string[],
  folder: string,
): Promise<void> {
  const app = (await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: sources.map((source) => join(root, source)),
    // The project that includes all entries.
    tsconfig: join(root, 'js/file/tsconfig.json'),
    outputs: [{ name: 'markdown', path: folder }],
    router: 'module',
    readme: 'none',
    logLevel: 'Error',
    sort: ['kind', 'source-order'],
    groupOrder: [
      'Classes',
      'Constructors',
      'Properties',
      'Methods',
      'Functions',
      'Interfaces',
      '*',
      'Errors',
    ],
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    excludeReferences: true,
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    expandParameters: true,
    expandObjects: true,
    parametersFormat: 'none',
    propertiesFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideModifiers: true },
    useHTMLAnchors: true,
    pageTitleTemplates: { module: ({ name }: { name: string }) => importOf(name) },
  } as object)) as MarkdownApplication;
  app.renderer.defineTheme('short', ShortTheme);
  app.options.setValue('theme', 'short');
  app.converter.on(Converter.EVENT_RESOLVE_END, shorten);
  const project = await app.convert();
  if (project === undefined || app.logger.hasErrors()) throw new Error('TypeDoc cannot read js/src');
  await app.generateOutputs(project);
  rmSync(join(folder, 'README.md')); // A list of the pages, which the menu is.
  // Methods are headings of the fifth level, and what one looks for.
  for (const name of readdirSync(folder)) {
    const page = join(folder, name);
    writeFileSync(page, `---\noutline: [2, 5]\n---\n\n${readFileSync(page, 'utf8')}`);
  }
}

/** What an entry is imported as. */
function importOf(entry: string): string {
  return entry === 'index' ? 'cuckoofilter-wasm (main entry)' : `cuckoofilter-wasm/${entry}`;
}

/**
 * Groups the errors, which only the package makes; forgets which class a member is from; and makes what can only be read a
 * property, which is a line of a table.
 */
function shorten({ project }: Context): void {
  // js/src/values.ts is the entry values, js/src/index.ts the main one, and js/redis/index.ts the entry redis.
  for (const entry of project.children ?? []) entry.name = entry.name.replace(/^src\/?/, '') || 'index';
  for (const member of project.getReflectionsByKind(ReflectionKind.All)) {
    if (!member.isDeclaration()) continue;
    if (member.kind === ReflectionKind.Class && member.name.endsWith('Error')) {
      member.comment?.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Errors' }]));
      const made = member.children?.find(({ kind }) => kind === ReflectionKind.Constructor);
      if (made !== undefined) project.removeReflection(made);
    }
    for (const one of [member, ...(member.signatures ?? [])]) {
      delete one.inheritedFrom;
      delete one.overwrites;
      delete one.implementationOf;
    }
    const getter = member.getSignature;
    if (getter === undefined || member.setSignature !== undefined) continue;
    member.kind = ReflectionKind.Property;
    member.flags.setFlag(ReflectionFlag.Readonly, true);
    if (getter.type) member.type = getter.type;
    if (getter.comment) member.comment ??= getter.comment;
    delete member.getSignature;
  }
}
