/** A selectable row for an option. */
export function Choice({
  name,
  label,
  hint,
  checked,
  disabled = false,
  onChoose,
}: {
  name: string
  label: string
  hint: string
  checked: boolean
  disabled?: boolean
  onChoose: () => void
}) {
  return (
    <label className="choice" data-checked={checked} data-disabled={disabled}>
      <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} />
      <span>
        <span className="strong">{label}</span>
        <span className="small quiet">{hint}</span>
      </span>
    </label>
  )
}
