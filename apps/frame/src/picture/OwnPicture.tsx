import type { RefObject } from 'react'
import { useVisibilityGuard } from '../approval/useVisibilityGuard.ts'
import { PersonalPicture } from './PersonalPicture.tsx'
import type { Picture } from './picture.ts'

const minSize = { width: 240, height: 120 }

/**
 * The head of every screen of a user who has a picture. If the browser reports that a page covers a
 * part of the screen, or crops the frame, the picture is hidden, so that the page cannot put its
 * own words next to it.
 */
export function OwnPicture({
  picture,
  about,
}: {
  picture: Picture
  about: RefObject<Element | null>
}) {
  const { state } = useVisibilityGuard([about], { minSize, trusting: true })
  const isHidden = state === 'covered'
  return (
    <p className="own small quiet">
      <PersonalPicture picture={picture} isHidden={isHidden} />
      <span aria-hidden="true" data-hidden={isHidden}>
        {picture.label}
      </span>
    </p>
  )
}
