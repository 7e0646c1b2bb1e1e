import {
  closeFrame,
  closeModal,
  type FrameShown,
  getFrameContainer,
  goBack,
} from '@latchkey/core/internal'
import { framePage } from '@latchkey/wire'
import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { useThemeRoot } from '../app/useThemeRoot.ts'
import { useT } from '../locales/useT.ts'
import { IconButton } from '../parts/Button.tsx'
import frameStyles from './FrameHost.module.css'
import styles from './Modal.module.css'
import { useSwipeDown } from './useSwipeDown.ts'

/** Views of the frame with a way back to the view that opened them. */
const pages: readonly string[] = framePage.options

/** Styles the secure frame's dialog, which core creates, and draws its header. */
export function FrameHost() {
  const app = useApp()
  const frameView = useAppState((state) => state.frame?.frameView)
  const { ref, 'data-lk-theme': mode } = useThemeRoot()
  const { dialog, header } = getFrameContainer(app) ?? {}

  useLayoutEffect(() => {
    if (!dialog || !frameStyles.dialog) return
    dialog.classList.add(frameStyles.dialog)
    dialog.dataset.lkTheme = mode
    const undress = ref(dialog)
    return () => {
      undress?.()
    }
  }, [dialog, mode, ref])

  const sheet = useRef(dialog ?? null)
  const noContent = useRef(null)
  // Only the header handles touch: the frame handles its own.
  useSwipeDown({ card: sheet, frame: noContent, onSwipe: () => closeModal(app) })

  if (!header || !frameView) return null
  return createPortal(<Header frameView={frameView} />, header)
}

function Header({ frameView }: { frameView: FrameShown }) {
  const app = useApp()
  const t = useT()
  const depth = useAppState((state) => state.modal.history.length)
  const isPage = pages.includes(frameView.view)
  const isCode = frameView.view === 'code' && depth > 1
  const back = () => {
    closeFrame(app)
    if (isCode) goBack(app)
  }
  return (
    <div className={styles.header}>
      <div className={styles.grip} aria-hidden="true" />
      <div className={styles.side}>
        {(isPage || isCode) && <IconButton icon="back" label={t('shell.back')} onClick={back} />}
      </div>
      <div className={styles.titles}>
        <h2 className={styles.title}>{frameView.title}</h2>
      </div>
      <div className={styles.side}>
        <IconButton icon="close" label={t('shell.close')} onClick={() => closeModal(app)} />
      </div>
    </div>
  )
}
