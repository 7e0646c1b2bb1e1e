import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Glyph } from './Glyph.tsx'

type Option = {
  value: string
  label: string
  picture?: ReactNode
  /** A quiet fact at the end of the line. */
  fact?: string | undefined
}

/**
 * A button that opens a list to choose from (ARIA's select-only combobox). The focus stays on the
 * button. The list closes on a choice, on Escape, when the focus leaves, and on a press outside.
 */
export function Choice({
  label,
  look,
  value,
  options,
  onChange,
}: {
  label: string
  look: 'chip' | 'field'
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number>()
  const isOpen = active !== undefined
  const chosen = options.findIndex((option) => option.value === value)
  const open = () => setActive(Math.max(0, chosen))
  const close = () => setActive(undefined)
  const choose = (index: number | undefined) => {
    close()
    const option = index !== undefined && options[index]
    if (option && option.value !== value) onChange(option.value)
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape' && isOpen) close()
    else {
      const next = findNext(options, { key, active: active ?? chosen })
      if (next === undefined) return
      setActive(isOpen || key.length === 1 ? next : Math.max(0, chosen))
    }
    event.preventDefault()
  }
  useEffect(() => {
    if (active === undefined) return
    list.current?.scrollIntoView({ block: 'nearest' })
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div className="choice" data-look={look}>
      <button
        type="button"
        role="combobox"
        className={look === 'chip' ? 'chip' : 'choiceField'}
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}${active}` : undefined}
        onKeyDown={press}
        onBlur={close}
        onClick={({ currentTarget, detail }) => {
          // Not every browser focuses a button that is pressed.
          currentTarget.focus()
          const isByKey = detail === 0
          if (!isOpen) open()
          else if (isByKey) choose(active)
          else close()
        }}
      >
        <span>{options[chosen]?.label}</span>
        <Glyph name="down" size={16} />
      </button>
      {isOpen && (
        <>
          <div className="choiceBack" aria-hidden="true" onClick={close} />
          <div ref={list} id={id} className="choiceList" role="listbox" aria-label={label}>
            {options.map((option, index) => (
              <button
                key={option.value}
                type="button"
                id={`${id}${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                data-active={index === active || undefined}
                // The focus stays on the button.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(index)}
              >
                {option.picture}
                <span>{option.label}</span>
                {option.fact && <bdi translate="no">{option.fact}</bdi>}
              </button>
            ))}
          </div>
        </>
      )}
    </div>
  )
}

/** The option that a key leads to, undefined if it leads to none. */
function findNext(
  options: readonly Option[],
  { key, active }: { key: string; active: number },
): number | undefined {
  const last = options.length - 1
  if (key === 'ArrowDown') return Math.min(last, active + 1)
  if (key === 'ArrowUp') return Math.max(0, active - 1)
  if (key === 'Home' || key === 'PageUp') return 0
  if (key === 'End' || key === 'PageDown') return last
  if (key.length > 1 || key === ' ') return undefined
  // The next one that begins with the letter.
  const after = [...options.keys()].map((index) => (active + 1 + index) % options.length)
  const letter = key.toLowerCase()
  return after.find((index) => options[index]?.label.toLowerCase().startsWith(letter))
}
