// Rows of texts below their headings, the first of each its name, in a frame that scrolls.
import '../../styles/boards.css';

interface DataTableProps {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function DataTable({ title, headings, rows }: DataTableProps) {
  return (
    <div class="table-frame" tabindex={0} role="region" aria-label={title}>
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
    </div>
  );
}
