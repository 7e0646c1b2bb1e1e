import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { text } from '../locales/text.ts'
import type { PageLink } from '../pages/viewPages.ts'
import { useRoute } from '../useRoute.ts'
import { Link } from './Link.tsx'

/**
 * A button that opens a list of pages. The list closes on a choice, on Escape, and on a press or
 * the focus outside of it.
 */
export function MoreMenu({ pages, children }: { pages: readonly PageLink[]; children: ReactNode }) {
  const id = useId()
  const route = useRoute()
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  const closeOnEscape = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') close()
  })
  useEffect(() => {
    if (!isOpen) return
    const controller = new AbortController()
    const { signal } = controller
    const leave = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', leave, { signal })
    document.addEventListener('focusin', leave, { signal })
    document.addEventListener('keydown', (event) => closeOnEscape(event), { signal })
    return () => controller.abort()
  }, [isOpen])
  const isHere = pages.some(({ path, glyph }) => path === route && glyph === undefined)
  return (
    <div ref={root} className="more">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-current={isHere || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <ul id={id} className="moreList">
          {pages.map(({ path, name, glyph }) => (
            <li key={path} data-wide={glyph !== undefined || undefined}>
              <Link to={path} onFollow={close}>
                {text(`nav.${name}`)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
