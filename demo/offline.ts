// What the build makes of the page's files: a service worker that keeps every one, one HTML file with all inside, and the
// address of the picture that a shared link shows.
// Invariant: the first two are made from the files of the build, so they cannot miss one; neither adds anything to the page.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('service-worker.js', import.meta.url));
const ICON = fileURLToPath(new URL('public/icon.svg', import.meta.url));

/** Writes sw.js, which keeps the files of this build. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = [...Object.keys(bundle), 'icon.svg'].sort();
      const contents = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : file.source));
      const version = contents
        .reduce((hash, content) => hash.update(content), createHash('sha256'))
        .digest('hex');
      const source = readFileSync(WORKER, 'utf8')
        .replace('__VERSION__', JSON.stringify(version.slice(0, 16)))
        .replace('__FILES__', JSON.stringify(['./', ...files]));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

/** Link previews take no relative address: where the page will lie at `address`, its picture gets a whole one. */
export function previewPicture(address: string | undefined): Plugin {
  return {
    name: 'preview-picture',
    transformIndexHtml: (html) =>
      address === undefined ? html : html.replace('./og.png', new URL('og.png', address).href),
  };
}

/** Puts scripts, styles and the icon into the HTML, which is then the only file. */
export function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
      const styles = files.flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
      );
      const page = files.find((file) => file.type === 'asset' && file.fileName.endsWith('.html'));
      // Vite leaves its mark for files to load ahead where a part is loaded later; here there are none.
      const script = scripts
        .join('\n')
        .replaceAll('__VITE_PRELOAD__', 'void 0')
        .replaceAll('</script', '<\\/script');
      if (page?.type !== 'asset' || scripts.length !== 1)
        throw new Error('a single file needs one page and one script');
      page.source = inlined(String(page.source), script, styles.join('\n'));
      page.fileName = 'cuckoo-filter.html';
      for (const file of files) if (file !== page) Reflect.deleteProperty(bundle, file.fileName);
    },
  };
}

function inlined(html: string, script: string, style: string): string {
  const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8'))}`;
  const hash = createHash('sha256').update(script).digest('base64');
  return (
    html
      .replace(/<script type="module"[^>]*><\/script>/, '')
      .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
      // A file alone has no picture beside it.
      .replaceAll(/<meta\s+property="og:image[^>]*>\s*/g, '')
      .replace(/href="[^"]*icon\.svg"/, () => `href="${icon}"`)
      .replace("script-src 'self'", `script-src 'sha256-${hash}'`)
      .replace('</body>', () => `<script type="module">${script}</script></body>`)
  );
}
