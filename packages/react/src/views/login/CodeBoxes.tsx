import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import styles from './CodeBoxes.module.css'

const places = [0, 1, 2, 3, 4, 5] as const

/** Six boxes for a code, which can be typed, pasted or filled in by the phone; calls back when complete. */
export function CodeBoxes({
  value,
  onChange,
  onComplete,
  busy,
  wrong,
}: {
  value: string
  onChange: (value: string) => void
  onComplete: (code: string) => void
  busy: boolean
  wrong: boolean
}) {
  const t = useT(enLogin)
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const take = (digits: string, from: number) => {
    const next = (value.slice(0, from) + digits).slice(0, places.length)
    onChange(next)
    boxes.current[Math.min(next.length, places.length - 1)]?.focus()
    if (next.length === places.length) onComplete(next)
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    if (event.key !== 'Backspace' || busy) return
    event.preventDefault()
    const at = value[place] ? place : Math.max(0, place - 1)
    onChange(value.slice(0, at))
    boxes.current[at]?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    const digits = event.clipboardData.getData('text').replace(/\D/g, '')
    if (digits && !busy) take(digits, 0)
  }
  return (
    // A code is read from left to right in every language.
    <fieldset className={styles.boxes} dir="ltr" aria-label={t('code.label')}>
      {places.map((place) => (
        <input
          key={place}
          ref={(box) => {
            boxes.current[place] = box
          }}
          className={styles.box}
          aria-label={t('code.digit', { number: place + 1 })}
          aria-invalid={wrong}
          inputMode="numeric"
          autoComplete={place === 0 ? 'one-time-code' : 'off'}
          value={value[place] ?? ''}
          readOnly={busy}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => onKeyDown(event, place)}
          onPaste={onPaste}
          onChange={(event) => {
            const digits = event.target.value.replace(/\D/g, '')
            // When a digit is overwritten, the new one can be at either end.
            const typed =
              digits.length === 2 && value[place] ? digits.replace(value[place], '') : digits
            if (typed) take(typed, Math.min(place, value.length))
          }}
        />
      ))}
    </fieldset>
  )
}
