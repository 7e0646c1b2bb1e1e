import { memo, useEffect, useState } from 'react'
import { approvals } from '../locales/approvals.en.ts'
import type { ApprovalRow, ApprovalView } from './approvalView.ts'

const t = approvals.approve

export const Groups = ({ groups }: Pick<ApprovalView, 'groups'>) =>
  groups.map(({ label, rows }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
    <section className="effect" key={index}>
      <h2>{label}</h2>
      <Rows rows={rows} />
    </section>
  ))

export function Rows({ rows }: { rows: readonly ApprovalRow[] }) {
  return (
    <dl className="rows">
      {rows.map((row, index) => (
        <div
          className="row"
          data-wide={Boolean(row.note ?? row.text ?? row.tree ?? row.address ?? row.data)}
          // biome-ignore lint/suspicious/noArrayIndexKey: a request's rows never change
          key={index}
        >
          <dt>
            <span>{row.label}</span>
            {row.isNew && <span className="new">{t.isNew}</span>}
          </dt>
          <dd>
            <span>{row.value}</span>
            {row.worth && <span className="quiet small">{row.worth}</span>}
            {row.address !== undefined && <AddressText address={row.address} />}
            {row.note && <span>{row.note}</span>}
            {row.text !== undefined && <pre>{row.text}</pre>}
            {row.data !== undefined && <pre className="data">{row.data}</pre>}
            {row.tree && <Tree lines={row.tree} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * How many lines are rendered per frame: typed data may have tens of thousands, and rendering them
 * at once would block the page.
 */
const partLength = 500

function Tree({ lines }: { lines: NonNullable<ApprovalRow['tree']> }) {
  const [count, setCount] = useState(partLength)
  const isDrawn = count >= lines.length
  useEffect(() => {
    if (isDrawn) return
    const frame = requestAnimationFrame(() => setCount(count + partLength))
    return () => cancelAnimationFrame(frame)
  }, [count, isDrawn])
  const starts = Array.from({ length: Math.ceil(count / partLength) }, (_, at) => at * partLength)
  return (
    <ul className="tree" aria-busy={!isDrawn}>
      {starts.map((start) => (
        <Part key={start} lines={lines} start={start} />
      ))}
    </ul>
  )
}

const Part = memo(({ lines, start }: { lines: NonNullable<ApprovalRow['tree']>; start: number }) =>
  lines.slice(start, start + partLength).map(({ depth, label, value }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
    <li key={index} data-depth={Math.min(depth, 8)}>
      <span className="quiet">{label}</span> <bdi>{value}</bdi>
    </li>
  )),
)

/**
 * Shows a full address in groups of four with its ends highlighted, so that users can compare it by
 * eye.
 */
function AddressText({ address }: { address: string }) {
  const groups = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return (
    <bdi className="address">
      {groups.map((group, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
          key={index}
          data-end={index === 0 || index === groups.length - 1}
        >
          {group}
        </span>
      ))}
    </bdi>
  )
}
