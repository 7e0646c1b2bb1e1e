import { useState } from 'react'
import { pictureTexts as t } from '../locales/picture.en.ts'
import type { Choice } from '../picture/drawings.ts'
import { PictureField } from '../picture/PictureField.tsx'
import { GatedButton } from './parts/GatedButton.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

/** `isChange`: the user wants another picture, so all are shown at once. */
export type PictureProps = { suggested: Choice; isChange: boolean }

/** Lets the user choose the personal picture of this browser. */
export function PictureScreen({
  suggested,
  isChange,
  done,
}: PictureProps & ScreenCallbacks<Choice>) {
  const [choice, setChoice] = useState(suggested)
  return (
    <div className="stack">
      <PictureField value={choice} isOpen={isChange} onChange={setChoice} />
      <p className="small quiet">{t.own}</p>
      <GatedButton onPress={() => done(choice)}>{t.use}</GatedButton>
    </div>
  )
}
