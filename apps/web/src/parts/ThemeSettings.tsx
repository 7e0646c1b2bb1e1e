import { text } from '../locales/text.ts'
import { useChosenTheme } from './useChosenTheme.ts'

const modes = ['system', 'light', 'dark'] as const

/** The choice of the theme, in words. */
export function ThemeSettings() {
  const { mode, choose } = useChosenTheme()
  return (
    <section className="card" aria-labelledby="theme">
      <h2 id="theme">{text('theme.title')}</h2>
      <div className="choices" role="radiogroup" aria-labelledby="theme">
        {modes.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="theme" checked={mode === one} onChange={() => choose(one)} />
            {text(`theme.${one}`)}
          </label>
        ))}
      </div>
    </section>
  )
}
