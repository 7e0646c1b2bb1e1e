import { type ReactNode, useMemo } from 'react'
import { useLazyImport } from '../../app/useLazyImport.ts'
import styles from './QrCode.module.css'

const loadShape = () => import('./qrShape.ts')

/**
 * Our drawing of a QR code, dark on white in every theme, because cameras read that best. Its space
 * is reserved before its text is known. A `logo` covers the middle.
 */
export function QrCode({
  text,
  label,
  logo,
}: {
  text: string | undefined
  label: string
  logo?: ReactNode
}) {
  const drawing = useLazyImport(loadShape, true).value
  const withHole = logo !== undefined
  const shape = useMemo(
    () => (text === undefined ? undefined : drawing?.qrShape(text, { withHole })),
    [text, drawing, withHole],
  )
  return (
    <div className={styles.place} data-waiting={shape === undefined || undefined}>
      {drawing && shape && (
        <svg
          className={styles.code}
          viewBox={toViewBox(shape.size, drawing.quietModules)}
          role="img"
          aria-label={label}
          shapeRendering="crispEdges"
        >
          <path d={shape.path} />
        </svg>
      )}
      {logo !== undefined && <span className={styles.logo}>{logo}</span>}
    </div>
  )
}

const toViewBox = (size: number, quiet: number) =>
  `${-quiet} ${-quiet} ${size + 2 * quiet} ${size + 2 * quiet}`
