/** A value from a page as nested lists of plain text. */
export function Tree({ value }: { value: unknown }) {
  if (typeof value !== 'object' || value === null) return <span>{String(value)}</span>
  return (
    <ul>
      {Object.entries(value).map(([name, part]) => (
        <li key={name}>
          <b>{name}</b> <Tree value={part} />
        </li>
      ))}
    </ul>
  )
}
