import { useState } from 'react'
import { pictureTexts as t } from '../locales/picture.en.ts'
import type { PictureChoice } from '../picture/drawings.ts'
import { PictureField } from '../picture/PictureField.tsx'
import { GuardedButton } from './parts/GuardedButton.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

/** `isChange`: the user wants another picture, so all are shown at once. */
export type PictureProps = { suggested: PictureChoice; isChange: boolean }

/** Lets the user choose the personal picture of this browser. */
export function PictureScreen({
  suggested,
  isChange,
  done,
}: PictureProps & ScreenCallbacks<PictureChoice>) {
  const [choice, setChoice] = useState(suggested)
  return (
    <div className="stack">
      <PictureField value={choice} isOpen={isChange} onChange={setChoice} />
      <p className="small quiet">{t.own}</p>
      <GuardedButton onPress={() => done(choice)}>{t.use}</GuardedButton>
    </div>
  )
}
