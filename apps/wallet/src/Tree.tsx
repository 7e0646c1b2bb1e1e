import { showText } from './showText.ts'

/** A value from a page as nested lists of plain text. */
export function Tree({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span>{showText(String(value))}</span>
  return (
    <ul>
      {Object.entries(value).map(([name, part]) => (
        <li key={name}>
          <b>{showText(name)}</b> <Tree value={part} />
        </li>
      ))}
    </ul>
  )
}
