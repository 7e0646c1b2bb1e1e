import { sanitizeText } from '@latchkey/wire'
import type { Row } from '../requests/walletRequest.ts'

/** The request, line by line, with nothing hidden. */
export function Details({ rows }: { rows: readonly Row[] }) {
  return (
    <dl data-testid="details">
      {rows.map((row) => (
        <Line key={row.label} row={row} />
      ))}
    </dl>
  )
}

function Line({ row }: { row: Row }) {
  return (
    <>
      <dt>{row.label}</dt>
      <dd>
        {row.value !== undefined && <span>{sanitizeText(row.value)}</span>}
        {row.text !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard
          <pre tabIndex={0}>{sanitizeText(row.text)}</pre>
        )}
        {row.tree !== undefined && <Tree value={row.tree} />}
      </dd>
    </>
  )
}

/** A value from a page as nested lists of plain text. */
function Tree({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span>{sanitizeText(String(value))}</span>
  return (
    <ul>
      {Object.entries(value).map(([name, part]) => (
        <li key={name}>
          <b>{sanitizeText(name)}</b> <Tree value={part} />
        </li>
      ))}
    </ul>
  )
}
