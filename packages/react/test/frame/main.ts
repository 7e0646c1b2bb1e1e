import {
  type FrameProtocol,
  frameProtocol,
  type Handlers,
  listenChannel,
  type ServedChannel,
} from '@latchkey/wire'

/** The messages and actions that the test page scripts for this frame. */
export type FrameScript = {
  readonly calls: string[]
  answers: { -readonly [M in keyof Handlers<FrameProtocol>]?: Handlers<FrameProtocol>[M] }
  line?: ServedChannel<FrameProtocol>
}

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

// Has the same origin here, so that a test can control it.
const { frameScript } = window.parent as unknown as { frameScript: FrameScript }

const defaults: Handlers<FrameProtocol> = {
  APP_CONNECT_EMAIL: () => ({ action: 'VERIFY_DEVICE', matchCode: '42', resendSeconds: 30 }),
  APP_RESEND: () => ({ resendSeconds: 30 }),
  APP_CONNECT_DEVICE: () => new Promise(() => {}),
  APP_CONNECT_OTP: () => ({}),
  APP_GET_SOCIAL_REDIRECT_URI: () => ({ uri: `${location.origin}/social#tx` }),
  APP_RETURN_SOCIAL: () => ({ uri: `${location.origin}/social#tx` }),
  APP_CONNECT_SOCIAL: () => new Promise(() => {}),
  APP_GET_FARCASTER_URI: () => ({ url: 'https://farcaster.example/~/siwf?channelToken=one' }),
  APP_CONNECT_FARCASTER: () => new Promise(() => {}),
  APP_CONNECT_PASSKEY: () => new Promise(() => {}),
  APP_GET_USER: () => ({ email: 'ada@mail.example', address: alice, chainId: 31337 }),
  APP_SIGN_OUT: () => ({}),
  APP_IS_CONNECTED: () => ({ isConnected: true }),
  APP_GET_CHAIN_ID: () => ({ chainId: 31337 }),
  APP_SWITCH_NETWORK: ({ chainId }) => ({ chainId }),
  APP_INIT_SMART_ACCOUNT: () => ({ address: alice, isDeployed: false }),
  APP_SET_PREFERRED_ACCOUNT: () => ({ type: 'eoa', address: alice }),
  APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [] }),
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
}

const handlers = Object.fromEntries(
  Object.entries(defaults).map(([method, answer]) => [
    method,
    (params: never, context: never) => {
      frameScript.calls.push(method)
      const scripted = frameScript.answers[method as keyof FrameProtocol['requests']]
      return ((scripted ?? answer) as (...given: never[]) => unknown)(params, context)
    },
  ]),
) as Handlers<FrameProtocol>

listenChannel({
  window,
  peer: window.parent,
  peerOrigin: location.origin,
  allowedOrigin: (origin) => origin === location.origin,
  protocol: frameProtocol,
  onConnect(line) {
    frameScript.line = line
    return handlers
  },
})
