import {
  type ConnectorInfo,
  connect,
  findRichest,
  forceCloseModal,
  getNamespaceName,
  goBack,
  listConnections,
  networkImageUrl,
  selectNamespace,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useConnections } from '../../hooks/connections/useConnections.ts'
import { enNamespaces } from '../../locales/enNamespaces.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, Row, Tag } from '../../parts/Row.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { useConnectErrorText } from './connectErrorText.ts'
import { findRowWallet } from './walletRows.ts'

type StepStatus = 'waiting' | 'declined' | 'skipped' | 'failed' | 'blocked'

const tones = {
  waiting: 'accent',
  connected: 'accent',
  declined: 'danger',
  skipped: 'quiet',
  failed: 'danger',
  blocked: 'quiet',
} as const

/**
 * A wallet of several namespaces: connects the namespaces that the user chooses, or all in turn.
 * The user can reject each. Once the wallet is connected, it offers the further namespaces.
 */
export function ConnectNamespaces({ view }: ViewProps<'ConnectNamespaces'>) {
  const app = useApp()
  const getErrorText = useConnectErrorText()
  const t = useT(enNamespaces)
  const connectors = useAppState((state) => state.connectors)
  const connections = useConnections()
  // The search may find another namespace of the wallet while this is shown.
  const found = findRowWallet(connectors, view.connectorIds[0])
  const order = useAppState((state) => state.networks).map(({ chainNamespace }) => chainNamespace)
  const rank = ({ namespaces: [namespace] }: ConnectorInfo) => order.indexOf(namespace)
  // In the order of the page's networks, not in the order in which wallets announce themselves.
  const infos = connectors
    .filter((info) => view.connectorIds.includes(info.id) || found.includes(info))
    .sort((one, other) => rank(one) - rank(other))
  const name = infos[0]?.name ?? ''
  const { outcomes, error, waiting, run, skip } = useSteps()
  const intro = useKeptFocus(waiting)
  const wantsAll = useRef(false)
  const isDone = ({ id }: ConnectorInfo) =>
    connections.some(({ connectorId }) => connectorId === id)
  const remaining = infos.filter((info) => !isDone(info))
  const isLeft = () => app.store.getState().modal.history.at(-1) !== view
  // Above the list of wallets there is nothing left to do; the account's views are shown again.
  const leave = () =>
    app.store.getState().modal.history.some((each) => each.name === 'Connect')
      ? forceCloseModal(app)
      : goBack(app)
  const start = async (selected: readonly ConnectorInfo[]) => {
    const isStopped = await run(selected)
    if (isStopped || isLeft()) return
    const ids = listConnections(app.store.getState()).map(({ connectorId }) => connectorId)
    const done = infos.filter(({ id }) => ids.includes(id))
    // The account in use stays, unless all accounts were requested and another is richer.
    if (wantsAll.current && done.length > 1) {
      const namespaces = done.map(({ namespaces: [namespace] }) => namespace)
      const richest = await findRichest(app, { namespaces })
      // The user may have left meanwhile.
      if (isLeft()) return
      if (richest) selectNamespace(app, { namespace: richest })
    }
    if (done.length === infos.length) leave()
  }
  const startAll = () => {
    wantsAll.current = true
    void start(next)
  }
  const waitingWallet = infos.find(({ id }) => id === waiting)
  const blocked = remaining.find(({ id }) => outcomes[id] === 'blocked')
  // Continues after a blocked window, and does not prompt again for rejected namespaces.
  const next = blocked
    ? remaining.filter((info) => info === blocked || outcomes[info.id] === undefined)
    : remaining
  const namespace = waitingWallet && getNamespaceName(waitingWallet.namespaces[0])
  const hasTried = Object.keys(outcomes).length > 0
  const isBegun = remaining.length < infos.length
  const names = remaining.map(({ namespaces: [each] }) => getNamespaceName(each)).join(', ')
  return (
    <div className={styles.column}>
      <p className={styles.intro} role="status" ref={intro} tabIndex={-1}>
        {namespace
          ? t('several.next', { name, namespace })
          : isBegun
            ? names === ''
              ? t('several.complete', { name })
              : t('several.also', { name, namespaces: names })
            : t('several.hint', { name })}
      </p>
      <ul className={styles.list} aria-label={t('several.list', { name })}>
        {infos.map((info) => (
          <li key={info.id}>
            <NamespaceRow
              info={info}
              outcome={isDone(info) ? 'connected' : outcomes[info.id]}
              disabled={waiting !== undefined}
              onClick={() => start([info])}
            />
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <p className={styles.inlineError} role="alert">
          {getErrorText(error, name).hint}
        </p>
      )}
      {blocked && !waitingWallet && (
        <p className={styles.intro} role="alert">
          {t('several.blockedHint', { namespace: getNamespaceName(blocked.namespaces[0]) })}
        </p>
      )}
      <div className={styles.act}>
        {namespace ? (
          <Button variant="quiet" onClick={skip}>
            {t('several.skip', { namespace })}
          </Button>
        ) : (
          <>
            {(blocked || remaining.length > 1) && (
              <Button onClick={startAll}>{t(blocked ? 'several.continue' : 'several.all')}</Button>
            )}
            {isBegun && (
              <Button variant="quiet" onClick={leave}>
                {t(hasTried || names === '' ? 'several.done' : 'several.notNow')}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function NamespaceRow({
  info,
  outcome,
  disabled,
  onClick,
}: {
  info: ConnectorInfo
  outcome: StepStatus | 'connected' | undefined
  disabled: boolean
  onClick: () => void
}) {
  const app = useApp()
  const t = useT(enNamespaces)
  const [namespace] = info.namespaces
  const networks = useAppState((state) => state.networks)
  const own = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
  const [first] = own
  const label = getNamespaceName(namespace)
  const parts = {
    start: <Picture src={first && networkImageUrl(app, first)} name={label} />,
    label,
    detail: own.map((network) => network.name).join(', '),
    end: outcome && <Tag tone={tones[outcome]}>{t(`several.${outcome}`)}</Tag>,
  }
  if (outcome === 'waiting' || outcome === 'connected') return <FactRow {...parts} />
  return <Row {...parts} disabled={disabled} onClick={onClick} />
}

/**
 * Focuses the introduction of the view after a step has removed the focused button, so that Tab
 * continues in the view. Returns the reference for the introduction.
 */
function useKeptFocus(waiting: string | undefined) {
  const intro = useRef<HTMLParagraphElement>(null)
  const last = useRef(waiting)
  useEffect(() => {
    if (last.current !== waiting && document.activeElement === document.body) intro.current?.focus()
    last.current = waiting
  }, [waiting])
  return intro
}

/**
 * Connects the connectors one after the other; leaving the view cancels the current request. If the
 * browser lets a wallet open its window only during a click, the others wait for the next click.
 */
function useSteps() {
  const app = useApp()
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, StepStatus>>>({})
  const [error, setError] = useState<unknown>()
  const [waiting, setWaiting] = useState<string>()
  const step = useRef<AbortController>(undefined)
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
      step.current?.abort()
    }
  }, [])

  async function ask({ id: connectorId }: ConnectorInfo): Promise<StepStatus | 'connected'> {
    const controller = new AbortController()
    step.current = controller
    const { signal } = controller
    const note = (outcome: StepStatus) => {
      setOutcomes((now) => ({ ...now, [connectorId]: outcome }))
      return outcome
    }
    const isInClick = navigator.userActivation?.isActive === true
    // The first request is sent in the click: some browsers let a wallet open its window only
    // there.
    const isAgain = app.storage.get('disconnected')?.includes(connectorId)
    const response = app.connectors.get(connectorId)?.ask?.(isAgain)
    setWaiting(connectorId)
    note('waiting')
    try {
      // The account in use stays in use.
      await connect(app, { connectorId, response, selects: false, signal })
      return 'connected'
    } catch (cause) {
      if (signal.aborted) return note('skipped')
      if (isError(cause, 'USER_REJECTED')) return note('declined')
      setError(cause)
      // If the request was not sent in a click, the browser may have blocked its window.
      return note(isInClick ? 'failed' : 'blocked')
    }
  }

  /** Returns whether the browser has blocked a wallet's window, so that the others wait. */
  async function run(infos: readonly ConnectorInfo[]): Promise<boolean> {
    setError(undefined)
    let isBlocked = false
    for (const info of infos) {
      if (hasLeft.current || isBlocked) break
      isBlocked = (await ask(info)) === 'blocked'
    }
    if (!hasLeft.current) setWaiting(undefined)
    return isBlocked
  }
  return { outcomes, error, waiting, run, skip: () => step.current?.abort() }
}
