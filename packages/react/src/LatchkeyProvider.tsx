import {
  type App,
  type Config,
  createApp,
  forceCloseModal,
  type State,
  searchWallets,
} from '@latchkey/core/internal'
import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { LatchkeyContext } from './app/context.ts'
import { loadAhead } from './app/loadAhead.ts'
import { ownClients } from './app/queries/ownClients.ts'
import { useAppState } from './app/useAppState.ts'
import { useLazyImport } from './app/useLazyImport.ts'
import type { Messages } from './locales/createT.ts'
import { ModalBoundary } from './modal/ModalBoundary.tsx'

type ProviderProps = {
  children: ReactNode
  /** BCP 47 language tag for numbers and plurals; English if absent. */
  locale?: string
  /** Your own messages or another language. A function is called when the provider mounts. */
  messages?: Messages | (() => Promise<Messages>)
  /**
   * Your own TanStack Query client for the data hooks, for example to prefetch. Each app needs a
   * separate client.
   */
  queryClient?: QueryClient
} & ({ app: App; config?: never } | { config: Config; app?: never })

const loadMessages = () => import('./modal/Messages.tsx').then((module) => module.MessageHost)
const noMessages: Messages = {}

/**
 * Provides the app to the hooks and buttons below it, and shows the modal. Pass an app, or the
 * config for a new app.
 */
export function LatchkeyProvider({
  children,
  app: givenApp,
  config,
  locale = 'en',
  messages,
  queryClient,
}: ProviderProps) {
  const app = useOwnedApp({ givenApp, config })
  // Before any hook below requests the client.
  if (queryClient) ownClients.set(app, queryClient)
  // It appears together with all wallets of this browser.
  const loadModal = useCallback(
    () =>
      Promise.all([
        import('./modal/Modal.tsx').then((module) => module.Modal),
        searchWallets(app),
      ]).then(([Modal]) => Modal),
    [app],
  )
  const [wantsModal, setWantsModal] = useState(false)
  const modal = useLazyImport(loadModal, wantsModal)
  const texts = useMessages(messages)
  const { retry } = modal

  useEffect(() => {
    const load = ({ modal, frame }: State) => {
      // The frame may have to be shown at any time.
      if (!modal.open && !frame) return
      retry()
      setWantsModal(true)
    }
    load(app.store.getState())
    return app.store.subscribe((state, before) => {
      if (state.modal.open !== before.modal.open || !state.frame !== !before.frame) load(state)
    })
  }, [app, retry])

  // Loads ahead of any click. A failed import is retried when it is needed.
  useEffect(() => loadAhead(() => loadModal().then(() => setWantsModal(true))), [loadModal])

  useEffect(() => {
    if (modal.status === 'failed') forceCloseModal(app)
  }, [app, modal.status])

  const value = useMemo(
    () => ({
      app,
      locale,
      messages: texts,
      modalStatus: modal.status,
      loadModal: () => setWantsModal(true),
      prefetch: () => {
        setWantsModal(true)
        // If a prefetch fails, the list fetches the data when it opens.
        import('./views/connect/useRecommended.ts').then(
          (module) => module.prefetchRecommended(app),
          () => {},
        )
      },
    }),
    [app, locale, texts, modal.status],
  )
  const Modal = modal.value
  return (
    <LatchkeyContext.Provider value={value}>
      {children}
      <ModalBoundary app={app}>{Modal && <Modal />}</ModalBoundary>
      <ModalBoundary app={app}>
        <PageMessages />
      </ModalBoundary>
    </LatchkeyContext.Provider>
  )
}

/**
 * Toasts and alerts while no modal covers the page. An open modal shows them itself, because it
 * makes the page inert.
 */
function PageMessages() {
  const hasMessage = useAppState((state) => state.toast !== undefined || state.alert !== undefined)
  const isOpen = useAppState((state) => state.modal.open)
  const MessageHost = useLazyImport(loadMessages, hasMessage).value
  return MessageHost && !isOpen ? <MessageHost /> : null
}

function useOwnedApp({
  givenApp,
  config,
}: {
  givenApp: App | undefined
  config: Config | undefined
}): App {
  // Not in the initializer: strict mode calls it twice, and the second app would never be
  // destroyed.
  const [held] = useState<{ app?: App }>(() => ({}))
  if (!givenApp && config) held.app ??= createApp(config)
  const own = held.app
  useConfigWarning(own, config)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(timer.current)
    // Strict mode unmounts and mounts again immediately; the app must survive that.
    return () => {
      timer.current = setTimeout(() => own?.destroy())
    }
  }, [own])
  const app = givenApp ?? own
  if (app === undefined) throw new Error('<LatchkeyProvider> needs an app or a config')
  return app
}

/**
 * Warns the developer, once and only in development, that a config was changed after the app was
 * created from it.
 */
function useConfigWarning(app: App | undefined, config: Config | undefined) {
  const text = process.env.NODE_ENV !== 'production' && config ? describeConfig(config) : undefined
  const [first] = useState(text)
  const isChanged = app !== undefined && text !== first
  useEffect(() => {
    if (isChanged)
      app?.environment.warn(
        'The `config` of <LatchkeyProvider> has changed, which has no effect. Pass a new `key` to the provider to start with the new config',
        undefined,
      )
  }, [app, isChanged])
}

/**
 * The networks and the plain options of a config, also those in groups. Functions and other objects
 * do not count, because each rendering may create new ones, and `initialState` follows the cookie.
 */
const describeConfig = ({ networks, initialState, ...options }: Config): string =>
  JSON.stringify([
    networks.map(({ caipNetworkId }) => caipNetworkId),
    Object.entries(options).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).filter(([, one]) => isPlain(one))
        : isPlain(value)
          ? [[name, value]]
          : [],
    ),
  ])

const isPlain = (value: unknown) => typeof value !== 'object' && typeof value !== 'function'

function useMessages(messages: Messages | (() => Promise<Messages>) | undefined): Messages {
  const [loaded, setLoaded] = useState<Messages>(noMessages)
  useEffect(() => {
    if (typeof messages !== 'function') return
    let current = true
    messages().then(
      (texts) => current && setLoaded(texts),
      // If a language cannot be loaded, English stays.
      () => {},
    )
    return () => {
      current = false
    }
  }, [messages])
  return typeof messages === 'function' ? loaded : (messages ?? noMessages)
}
