import { sanitizeText } from '@latchkey/wire'
import type { Row } from '../requests/walletRequest.ts'
import { Tree } from './Tree.tsx'

/** What is asked, line by line, with nothing hidden in it. */
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
