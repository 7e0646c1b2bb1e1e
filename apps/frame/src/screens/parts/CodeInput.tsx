import { readDigits } from '@latchkey/wire'
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { en, fill } from '../../locales/en.ts'

const t = en.code
const length = 6
const places = [0, 1, 2, 3, 4, 5] as const

/**
 * Six boxes for a code: six digits at once fill them all, arrows and backspace move, and the sixth
 * digit calls `onFull`. Digits of any script count.
 */
export function CodeInput({
  code,
  disabled,
  invalid,
  offersPasskeys,
  onChange,
  onFull,
}: {
  code: string
  disabled: boolean
  invalid: boolean
  /** Whether the browser offers passkeys in the first box. */
  offersPasskeys: boolean
  onChange: (code: string) => void
  onFull: (code: string) => void
}) {
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const digits = places.map((place) => code[place]?.trim() ?? '')
  const focus = (place: number) => boxes.current[Math.max(0, Math.min(length - 1, place))]?.focus()
  // Focuses the first box, also after a wrong code. A hidden frame gets the focus when it is shown.
  useEffect(() => {
    if (disabled || code.length > 0) return
    const begin = () => {
      // The user may already have started typing.
      if (boxes.current.every((box) => box?.value === '')) boxes.current[0]?.focus()
    }
    begin()
    window.addEventListener('focus', begin, { once: true })
    return () => window.removeEventListener('focus', begin)
  }, [disabled, code])

  const first = offersPasskeys ? 'one-time-code webauthn' : 'one-time-code'

  const put = (place: number, text: string) => {
    const typed = readDigits(text)
    if (typed === '') return
    // A phone fills in the whole code in the focused box.
    const from = typed.length >= length ? 0 : place
    const fresh = typed.slice(0, length - from)
    const next = digits.map((digit, place) => fresh[place - from] ?? digit)
    focus(from + fresh.length)
    const whole = next.map((digit) => digit || ' ').join('')
    onChange(whole.trimEnd())
    if (/^\d{6}$/.test(whole)) onFull(whole)
  }
  const clear = (place: number) => {
    const next = digits.map((digit, at) => (at === place ? ' ' : digit || ' ')).join('')
    onChange(next.trimEnd())
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    if (event.key === 'ArrowLeft') focus(place - 1)
    else if (event.key === 'ArrowRight') focus(place + 1)
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(length - 1)
    else if (event.key === 'Backspace') {
      const at = digits[place] ? place : place - 1
      if (at >= 0) clear(at)
      focus(at)
    } else if (event.key === 'Delete') clear(place)
    else return
    event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent, place: number) => {
    event.preventDefault()
    put(place, event.clipboardData.getData('text'))
  }
  const onInput = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>, place: number) => {
    const text = target.value
    // Preact renders the box again only if the code changes.
    target.value = digits[place] ?? ''
    if (text === '') clear(place)
    // A filled box contains its old digit too, before or after the new one.
    else put(place, (nativeEvent as InputEvent).data ?? text)
  }
  return (
    // Codes are written left to right in every language.
    <fieldset className="boxes" dir="ltr" aria-label={t.digits} disabled={disabled}>
      {places.map((place) => (
        <input
          key={place}
          ref={(element) => {
            boxes.current[place] = element
          }}
          className="box"
          inputMode="numeric"
          autoComplete={place === 0 ? first : 'off'}
          aria-label={fill(t.digit, { n: place + 1 })}
          aria-invalid={invalid}
          value={digits[place]}
          onChange={(event) => onInput(event, place)}
          onFocus={({ target }) => target.select()}
          onKeyDown={(event) => onKeyDown(event, place)}
          onPaste={(event) => onPaste(event, place)}
        />
      ))}
    </fieldset>
  )
}
