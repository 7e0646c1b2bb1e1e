import { Fragment, type ReactNode } from 'react'
import send from '../send/SendPreview.module.css'

/**
 * The first line of a review: what happens if the user agrees. `text` fills a message with names,
 * which `parts` replace with whole amounts and names. Details follow below, next to a picture.
 */
export function Question<Name extends string>({
  text,
  parts,
  picture,
  children,
}: {
  text: (fill: Readonly<Record<Name, string>>) => string
  parts: Readonly<Record<Name, ReactNode>>
  picture?: ReactNode
  children?: ReactNode
}) {
  const fill = Object.fromEntries(Object.keys(parts).map((name) => [name, `{${name}}`]))
  const pieces = text(fill as Record<Name, string>).split(/\{(\w+)\}/)
  return (
    <div className={send.side}>
      <div>
        <h3 className={send.question}>
          {pieces.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message may use a name twice
            <Fragment key={at}>{at % 2 === 0 ? piece : parts[piece as Name]}</Fragment>
          ))}
        </h3>
        {children}
      </div>
      {picture}
    </div>
  )
}
