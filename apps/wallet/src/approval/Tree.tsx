import { sanitizeText } from '@latchkey/wire'

/** A value from a page as nested lists of plain text. */
export function Tree({ value }: { value: unknown }) {
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
