// Rows of texts below their headings, the first of each its name, in a frame that scrolls.
import '../../styles/boards.css';

export interface DataTableProps {
  readonly title: string;
  readonly class?: string;
  /** What the columns are about, with how many columns are about it. */
  readonly groups?: readonly (readonly [string, number])[];
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function DataTable({ title, class: look, groups = [], headings, rows }: DataTableProps) {
  return (
    <div class="table-frame" tabindex={0} role="region" aria-label={title}>
      <table class={look}>
        <thead>
          {groups.length > 0 && (
            <tr>
              <td />
              {groups.map(([group, count]) => (
                <th key={group} scope="colgroup" colSpan={count}>
                  {group}
                </th>
              ))}
            </tr>
          )}
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
    </div>
  );
}
