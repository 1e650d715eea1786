// Rows of texts below their headings, the first of each its name, in a frame that scrolls.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from '../../i18n';
import '../../styles/boards.css';

/** A frame for a table, which says so where the table is wider than it. */
export function TableFrame({ title, children }: { title: string; children: ComponentChildren }) {
  const host = useRef<HTMLDivElement>(null);
  const isWide = useSignal(false);
  useLayoutEffect(() => {
    const frame = host.current;
    if (frame === null) return undefined;
    const observer = new ResizeObserver(() => (isWide.value = frame.scrollWidth > frame.clientWidth));
    observer.observe(frame);
    return () => observer.disconnect();
  }, [isWide]);
  return (
    <>
      {isWide.value && <p class="note">{words.value.plot.wide}</p>}
      <div ref={host} class="table-frame" tabindex={0} role="region" aria-label={title}>
        {children}
      </div>
    </>
  );
}

interface DataTableProps {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function DataTable({ title, headings, rows }: DataTableProps) {
  return (
    <TableFrame title={title}>
      <table>
        <thead>
          <tr>
            {headings.map((heading, i) => (
              <th key={i} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
