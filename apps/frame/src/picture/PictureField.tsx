import { useState } from 'react'
import { pictureTexts as t } from '../locales/picture.en.ts'
import { colors, drawPicture, type PictureChoice, shuffle, symbols } from './drawings.ts'
import { PersonalPicture } from './PersonalPicture.tsx'

const plain = '#6b7280'

/**
 * Shows a picture, and others on request. Their order is random each time, so that no page can make
 * a user press a known picture.
 */
export function PictureField({
  value,
  isOpen: isOpenAtFirst = false,
  onChange,
}: {
  value: PictureChoice
  isOpen?: boolean
  onChange: (next: PictureChoice) => void
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [order] = useState(() => ({
    symbols: shuffle(Object.keys(symbols) as PictureChoice['symbol'][]),
    colors: shuffle(Object.keys(colors) as PictureChoice['color'][]),
  }))
  const drawn = drawPicture(value)
  return (
    <section className="card" aria-label={t.title}>
      <div className="own">
        {drawn && <PersonalPicture picture={drawn} />}
        <span className="strong" role="status">
          {drawn?.label}
        </span>
      </div>
      <p className="small quiet">{t.lead}</p>
      {!isOpen && (
        <button type="button" className="link" onClick={() => setOpen(true)}>
          {t.other}
        </button>
      )}
      {isOpen && (
        <>
          <div className="pictures" role="radiogroup" aria-label={t.symbols}>
            {order.symbols.map((symbol) => (
              <Option
                key={symbol}
                name="symbol"
                label={t.symbol[symbol]}
                path={symbols[symbol]}
                color={symbol === value.symbol ? colors[value.color] : plain}
                checked={symbol === value.symbol}
                onChoose={() => onChange({ ...value, symbol })}
              />
            ))}
          </div>
          <div className="pictures" role="radiogroup" aria-label={t.colors}>
            {order.colors.map((color) => (
              <Option
                key={color}
                name="color"
                label={t.color[color]}
                path=""
                color={colors[color]}
                checked={color === value.color}
                onChoose={() => onChange({ ...value, color })}
              />
            ))}
          </div>
        </>
      )}
    </section>
  )
}

function Option({
  name,
  label,
  path,
  color,
  checked,
  onChoose,
}: {
  name: string
  label: string
  path: string
  color: string
  checked: boolean
  onChoose: () => void
}) {
  return (
    <label data-checked={checked} title={label}>
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => nativeEvent.isTrusted && onChoose()}
      />
      <span aria-hidden="true">
        <PersonalPicture picture={{ label, path, color }} />
      </span>
    </label>
  )
}
