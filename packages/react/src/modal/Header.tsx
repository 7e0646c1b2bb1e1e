import {
  type App,
  closeModal,
  findListedWallet,
  goBack,
  mayClose,
  pushView,
  type View,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { useMemo, useState } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'
import { type Queries, useLazyQuery } from '../app/useLazyQuery.ts'
import { useT } from '../locales/useT.ts'
import { IconButton } from '../parts/Button.tsx'
import styles from './Modal.module.css'
import { type TitleParameters, views } from './views.ts'

/**
 * A view, the depth of the history, and the name of the first view. `list`: the depth of the list
 * of wallets, if a wide window shows that next to the view.
 */
export type ShownView = {
  view: View
  depth: number
  bottom: View['name']
  list: number | undefined
}

/** The header of the modal: back or help, the title of the view, and close. */
export function Header({
  view,
  depth,
  titleId,
}: Pick<ShownView, 'view' | 'depth'> & { titleId: string }) {
  const app = useApp()
  const t = useT()
  const wallet = useViewWallet(view)
  const title = useAppState((state) => getTitle(view, { t, state, wallet }))
  const { start } = views[view.name]
  const back = depth > 1 && start !== 'none'
  // A button that only shakes the card would promise a way out.
  const canClose = useAppState((state) => mayClose(state.modal))
  return (
    <div className={styles.header}>
      <div className={styles.side}>
        {back && <IconButton icon="back" label={t('shell.back')} onClick={() => goBack(app)} />}
        {!back && start === 'help' && (
          <IconButton
            icon="help"
            label={t('shell.help')}
            onClick={() => pushView(app, { name: 'WhatIsAWallet' })}
          />
        )}
      </div>
      <Title id={titleId} text={title} />
      <div className={styles.side}>
        {canClose && (
          <IconButton icon="close" label={t('shell.close')} onClick={() => closeModal(app)} />
        )}
      </div>
    </div>
  )
}

function Title({ id, text }: { id: string; text: string }) {
  const [titles, setTitles] = useState<{ now: string; before?: string }>({ now: text })
  if (titles.now !== text) setTitles({ now: text, before: titles.now })
  return (
    <div className={styles.titles}>
      {titles.before !== undefined && (
        <span key={`before ${titles.before}`} className={styles.titleBefore} aria-hidden="true">
          {titles.before}
        </span>
      )}
      <h2 id={id} tabIndex={-1} className={styles.title}>
        <span key={text}>{text}</span>
      </h2>
    </div>
  )
}

function getTitle<Name extends View['name']>(
  view: Extract<View, { name: Name }>,
  { t, state, wallet }: Omit<TitleParameters<Name>, 'view'>,
): string {
  const { title } = views[view.name as Name]
  return typeof title === 'function' ? title({ t, view, state, wallet }) : t(title)
}

/** The directory's wallet of a view. A wallet that a list has loaded is available at once. */
function useViewWallet(view: View): DirectoryWallet | undefined {
  const app = useApp()
  const walletId = 'walletId' in view ? view.walletId : undefined
  const getOptions = useMemo(
    () =>
      walletId === undefined
        ? undefined
        : (queries: Queries, app: App) => queries.walletQuery(app, { walletId }),
    [walletId],
  )
  // The next view may show a wallet, and its title must not wait for code.
  const { result } = useLazyQuery({ getOptions, enabled: true, isAhead: view.name !== 'Connect' })
  return result?.data ?? (walletId === undefined ? undefined : findListedWallet(app, walletId))
}
