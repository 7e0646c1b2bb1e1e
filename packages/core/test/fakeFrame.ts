import {
  type FrameProtocol,
  frameProtocol,
  type Handlers,
  LatchkeyError,
  listenChannel,
  type ServedChannel,
} from '@latchkey/wire'
import type { FrameContainer, FrameContainerParameters } from '../src/embedded/frame/frame.ts'
import { alice } from './fakeWallet.ts'

export const frameOrigin = 'https://frame.example'
const appOrigin = 'https://app.example'
export const carol = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

type Scripted = { -readonly [M in keyof Handlers<FrameProtocol>]?: Handlers<FrameProtocol>[M] }

export type FakeFrame = {
  place: (parameters: FrameContainerParameters) => FrameContainer
  /** Responses that replace its own. */
  readonly handlers: Scripted
  /** Every request, in order. */
  readonly calls: { method: string; params: unknown }[]
  /** The messages that its container received, in order. */
  readonly placed: string[]
  readonly emit: ServedChannel<FrameProtocol>['emit']
  /** Unloads the frame's document. */
  unload(): void
  /** The visitor dismisses the dialog. */
  dismiss(): void
  /** Sends a message to the page from any sender. */
  forge(message: { source: unknown; origin: string; data: unknown; ports?: MessagePort[] }): void
  readonly window: unknown
  /** Whether the user is logged in. */
  isSignedIn: boolean
  isAway: boolean
}

/** A secure frame with the real protocol over real ports; its decisions are scripted. */
export function createFakeFrame(): FakeFrame {
  const page = new EventTarget()
  let serving: ServedChannel<FrameProtocol> | undefined
  let parameters: FrameContainerParameters | undefined
  let child = new EventTarget()
  let stop = () => {}

  const deliver = (to: EventTarget, message: Parameters<FakeFrame['forge']>[0]) =>
    to.dispatchEvent(Object.assign(new Event('message'), { ports: [], ...message }))
  const toChild = {
    closed: false,
    postMessage(data: string, target: string, ports: Transferable[] = []) {
      if (target !== frameOrigin) return
      const message = { source: toPage, origin: appOrigin, data, ports: ports as MessagePort[] }
      queueMicrotask(() => deliver(child, message))
    },
  }
  const toPage = {
    closed: false,
    postMessage(data: string, target: string) {
      if (target !== appOrigin) return
      queueMicrotask(() => deliver(page, { source: toChild, origin: frameOrigin, data }))
    },
  }

  const frame: FakeFrame = {
    place(given) {
      parameters = given
      return {
        here: page,
        dialog: undefined,
        header: undefined,
        load(address) {
          frame.placed.push(`load ${address}`)
          stop()
          child = new EventTarget()
          if (!frame.isAway) queueMicrotask(listen)
          return { there: toChild, loaded: Promise.resolve() }
        },
        show: ({ title, height }) => frame.placed.push(`show ${title} ${height}`),
        raise() {},
        hide: () => frame.placed.push('hide'),
        remove: () => frame.placed.push('remove'),
      }
    },
    handlers: {},
    calls: [],
    placed: [],
    emit: (name, data) => serving?.emit(name, data),
    unload: () => serving?.close(),
    dismiss: () => parameters?.onDismiss(),
    forge: (message) => deliver(page, message),
    window: toChild,
    isSignedIn: false,
    isAway: false,
  }

  function listen() {
    stop = listenChannel({
      window: child,
      peer: toPage,
      peerOrigin: appOrigin,
      allowedOrigin: (origin) => origin === appOrigin,
      protocol: frameProtocol,
      onConnect(channel) {
        serving = channel
        channel.emit('FRAME_READY', { version: '1' })
        return logged(frame)
      },
    })
  }
  return frame
}

const logged = (frame: FakeFrame): Handlers<FrameProtocol> =>
  Object.fromEntries(
    Object.entries(answers(frame)).map(([method, answer]) => [
      method,
      (params: never, context: never) => {
        frame.calls.push({ method, params })
        const scripted = frame.handlers[method as keyof FrameProtocol['requests']]
        return ((scripted ?? answer) as (...given: never[]) => unknown)(params, context)
      },
    ]),
  ) as Handlers<FrameProtocol>

const answers = (frame: FakeFrame): Handlers<FrameProtocol> => ({
  APP_CONNECT_EMAIL: () =>
    frame.isSignedIn
      ? { action: 'CONNECT' }
      : { action: 'VERIFY_DEVICE', matchCode: '42', resendSeconds: 30 },
  APP_RESEND: () => ({ resendSeconds: 30 }),
  APP_CONNECT_DEVICE: () => ({}),
  APP_CONNECT_OTP() {
    frame.isSignedIn = true
    return {}
  },
  APP_GET_SOCIAL_REDIRECT_URI: () => ({ uri: 'https://frame.example/social#tx' }),
  APP_RETURN_SOCIAL: () => ({ uri: 'https://frame.example/social#tx' }),
  APP_CONNECT_SOCIAL() {
    frame.isSignedIn = true
    return { address: alice, chainId: 31337, email: null, userName: 'ada' }
  },
  APP_GET_FARCASTER_URI: () => ({ url: 'https://farcaster.example/~/siwf?channelToken=one' }),
  APP_CONNECT_FARCASTER() {
    frame.isSignedIn = true
    return { userName: 'ada (fid 1)' }
  },
  APP_CONNECT_PASSKEY() {
    frame.isSignedIn = true
    return { address: alice, chainId: 31337, email: 'ada@mail.example' }
  },
  APP_GET_USER({ chainId = 31337 }) {
    if (!frame.isSignedIn) throw new LatchkeyError('SIGNED_OUT')
    const isSolana = String(chainId).startsWith('solana:')
    return { email: 'ada@mail.example', address: isSolana ? carol : alice, chainId }
  },
  APP_SIGN_OUT() {
    frame.isSignedIn = false
    return {}
  },
  APP_IS_CONNECTED: () => ({ isConnected: frame.isSignedIn }),
  APP_GET_CHAIN_ID: () => ({ chainId: 31337 }),
  APP_SWITCH_NETWORK: ({ chainId }) => ({ chainId }),
  APP_INIT_SMART_ACCOUNT: () => ({ address: alice, isDeployed: false }),
  APP_SET_PREFERRED_ACCOUNT: () => ({ type: 'eoa', address: alice }),
  APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [1, 137] }),
  APP_UPDATE_EMAIL: () => ({ action: 'VERIFY_PRIMARY_OTP', resendSeconds: 30 }),
  APP_UPDATE_EMAIL_PRIMARY_OTP: () => ({}),
  APP_UPDATE_EMAIL_SECONDARY_OTP: () => ({ newEmail: 'new@mail.example' }),
  APP_SYNC_THEME: () => ({}),
  APP_SYNC_DAPP_DATA: () => ({}),
  APP_RELOAD: () => ({}),
  APP_RPC_REQUEST: () => `0x${'ab'.repeat(65)}`,
  APP_GET_TOKENS: () => ({ tokens: [] }),
  APP_REMOVE_TOKEN: () => ({}),
  APP_RPC_ABORT: () => ({}),
  APP_OPEN: () => ({}),
  APP_CLOSE: () => ({}),
})
