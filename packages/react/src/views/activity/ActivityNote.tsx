import { getNoteKey, getNotes, maxNoteLength } from '@latchkey/core/internal'
import type { HistoryTransaction } from '@latchkey/wire'
import { useId, useState } from 'react'
import { writeNote } from '../../app/history/useNotes.ts'
import { useApp } from '../../app/useApp.ts'
import { enActivityDetail } from '../../locales/activity/enActivityDetail.ts'
import { useT } from '../../locales/useT.ts'
import styles from './ActivityDetail.module.css'

/** The user's note about a transaction, which is saved while the user types. */
export function ActivityNote({ transaction }: { transaction: HistoryTransaction }) {
  const app = useApp()
  const t = useT(enActivityDetail)
  const id = useId()
  const [note, setNote] = useState(() => getNotes(app).get(getNoteKey(transaction)) ?? '')
  const [isSaved, setIsSaved] = useState(false)
  const change = (typed: string) => {
    setNote(typed)
    writeNote(app, { transaction, note: typed })
    setIsSaved(true)
  }
  return (
    <div className={styles.note}>
      <label htmlFor={id}>{t('detail.note')}</label>
      <input
        id={id}
        value={note}
        maxLength={maxNoteLength}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => change(target.value)}
      />
      <p id={`${id}-hint`}>{t('detail.noteHint', { count: maxNoteLength })}</p>
      <p role="status">{isSaved && t('detail.noteSaved')}</p>
    </div>
  )
}
