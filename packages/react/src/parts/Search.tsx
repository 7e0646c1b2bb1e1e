import { Icon } from './Icon.tsx'
import styles from './Search.module.css'

/** A search field; its label is its placeholder. */
export const Search = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <label className={styles.search}>
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      enterKeyHint="search"
    />
  </label>
)
