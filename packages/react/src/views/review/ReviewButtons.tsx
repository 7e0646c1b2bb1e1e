import { goBack } from '@latchkey/core/internal'
import type { ReactNode } from 'react'
import { useApp } from '../../app/useApp.ts'
import { enShared } from '../../locales/enShared.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import send from '../send/SendPreview.module.css'
import view from '../view.module.css'

/**
 * The buttons of a review: one goes back, the other sends the request to the wallet, and is busy
 * while the wallet has it.
 */
export function ReviewButtons({
  refuse,
  approve,
  isGrave,
  isAsked,
  onApprove,
  children,
}: {
  refuse: string
  approve: string
  isGrave: boolean
  isAsked: boolean
  onApprove: () => void
  /** A hint while the wallet has the request. */
  children?: ReactNode
}) {
  const app = useApp()
  const t = useT(enShared)
  return (
    <div className={view.bottom}>
      {isAsked && children}
      <div className={send.buttons}>
        <Button variant="quiet" onClick={() => goBack(app)}>
          {refuse}
        </Button>
        <Button busy={isAsked} variant={isGrave ? 'danger' : 'main'} onClick={onApprove}>
          {isAsked ? t('preview.waiting') : approve}
        </Button>
      </div>
    </div>
  )
}
