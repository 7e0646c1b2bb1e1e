import { goBack } from '@latchkey/core/internal'
import type { MouseEvent } from 'react'
import { useApp } from '../app/useApp.ts'
import { useT } from '../locales/useT.ts'
import { WalletFacts } from '../views/connect/WalletFacts.tsx'
import views from '../views/view.module.css'
import type { ShownView } from './Header.tsx'
import styles from './Modal.module.css'
import { ViewSwitch } from './ViewSwitch.tsx'

/**
 * The view, or two columns if `list` is given, the depth of the list of wallets. The columns are
 * the list, and the view that a press there has opened. Until then, an explanation fills the second
 * column. `opening` numbers the openings of the modal.
 */
export function Panes({
  shown: { view, depth },
  opening,
  direction,
  list,
}: {
  shown: ShownView
  opening: number
  direction: string | undefined
  list: number | undefined
}) {
  const app = useApp()
  const t = useT()
  const isList = list === depth
  /** Leaves the open view, so that another view can take its place. */
  const leave = ({ target }: MouseEvent) => {
    if (list === undefined || !(target as Element).closest('button:not([data-stays])')) return
    for (let above = depth - list; above > 0; above--) goBack(app)
  }
  // The list keeps its key, so that it stays as it is when a wallet is pressed.
  return [
    <div
      key={`${opening} ${depth} ${view.name}`}
      className={styles.view}
      data-pane={list === undefined ? undefined : isList ? 'list' : 'next'}
      data-direction={isList ? undefined : direction}
    >
      <ViewSwitch view={view} />
    </div>,
    list !== undefined && !isList && (
      <div
        key={`${opening} ${list} Connect`}
        className={styles.view}
        data-pane="list"
        onClickCapture={leave}
      >
        <ViewSwitch view={{ name: 'Connect' }} />
      </div>
    ),
    isList && (
      <div key="facts" className={styles.view} data-pane="next">
        <p className={views.group}>{t('whatWallet.title')}</p>
        <WalletFacts />
      </div>
    ),
  ]
}
