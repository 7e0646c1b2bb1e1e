import { readDigits } from '@latchkey/wire'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { enLogin } from '../../locales/enLogin.ts'
import { useT } from '../../locales/useT.ts'
import styles from './CodeBoxes.module.css'

const places = [0, 1, 2, 3, 4, 5] as const

/**
 * Six boxes for a code in digits of any script, which can be typed, pasted or filled in by the
 * phone; calls back when complete.
 */
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
  const take = (text: string, place: number) => {
    const digits = readDigits(text)
    if (digits === '' || busy) return
    // A phone fills in the whole code wherever the focus is.
    const from = digits.length >= places.length ? 0 : Math.min(place, value.length)
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
    take(event.clipboardData.getData('text'), 0)
  }
  return (
    // Codes are written from left to right in every language.
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
          onChange={({ target, nativeEvent }) => {
            if (target.value === '') onChange(value.slice(0, place))
            // A filled box contains its old digit too, before or after the new digit.
            else take((nativeEvent as InputEvent).data ?? target.value, place)
          }}
        />
      ))}
    </fieldset>
  )
}
