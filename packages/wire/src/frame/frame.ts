import * as z from 'zod/mini'
import { maxNamedAssets, tokenMark } from '../api/assets.ts'
import { socialProvider } from '../api/auth/socialProvider.ts'
import { frameNamespaces } from '../caip/caip.ts'
import type { Protocol } from '../channel/channelProtocol.ts'

const nothing = z.object({})
/**
 * A number is an eip155 reference, a string a CAIP-2 id (`eip155:1`,
 * `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`).
 */
const chain = z.union([
  z.int().check(z.positive()),
  z.string().check(z.regex(/^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}$/)),
])
const email = z.string().check(z.minLength(1), z.maxLength(320))
const address = z.string().check(z.minLength(1), z.maxLength(64))
/**
 * Six digits. The server accepts them only from the listed pages of a project with
 * `otpSurface: 'host'`. If undefined, the frame shows the input itself.
 */
const otp = z.optional(z.string().check(z.regex(/^[0-9]{6}$/)))
const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/))
const text = z.string().check(z.maxLength(2_000))
/** The URL of a page, or our URL that contains a page's URL. */
const pageUrl = z.string().check(z.maxLength(8_000))
const themeTable = z.record(z.string().check(z.maxLength(60)), z.union([text, z.number()]))

export const accountType = z.enum(['eoa', 'smartAccount'])
export type FrameAccountType = z.infer<typeof accountType>

/**
 * Pages that the host can open in the frame. `export` opens a first-party tab of the frame's
 * origin. `back-up` asks how the user gets back in without this device; it shows nothing if the
 * wallet has a way of recovery.
 */
export const framePage = z.enum([
  'settings',
  'devices',
  'recovery',
  'back-up',
  'export',
  'sign-ins',
  'smart-account',
  'fresh-wallet',
])
export type FramePage = z.infer<typeof framePage>

/** Screens of the frame. */
export const frameView = z.enum([
  'code',
  'recovery-setup',
  'recover',
  'approve',
  'consent',
  'settings',
  'devices',
  'recovery',
  'export',
  'sign-ins',
  'social',
  'smart-account',
  'fresh-wallet',
  'passkey',
])
export type FrameView = z.infer<typeof frameView>

/**
 * The server sets the seconds. `matchCode`: two digits to show next to "open the link in the mail",
 * with VERIFY_DEVICE.
 */
const loginStep = z.object({
  action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']),
  matchCode: z.optional(z.string().check(z.regex(/^[0-9]{2}$/))),
  resendSeconds: z.optional(z.number()),
})

export const frameUser = z.object({
  email: z.optional(z.nullable(z.string())),
  /** The user's name at the provider of a social login. */
  userName: z.optional(z.nullable(z.string())),
  address,
  /** A number for eip155, a CAIP-2 id for other namespaces. */
  chainId: chain,
  accounts: z.optional(z.array(z.object({ address, type: accountType }))),
  smartAccountDeployed: z.optional(z.boolean()),
  /** False while the wallet has no way of recovery, so that it is lost with its devices. */
  isRecoverable: z.optional(z.boolean()),
  preferredAccountType: z.optional(accountType),
})
export type FrameUser = z.infer<typeof frameUser>

/**
 * A token that the user has added. What could not be read is left out: only the address is certain.
 * `balance`: in smallest units. A token whose `mark` is `bait` has no name and no symbol.
 */
const addedToken = z.object({
  address,
  name: z.optional(z.string().check(z.maxLength(64))),
  symbol: z.optional(z.string().check(z.maxLength(24))),
  decimals: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
  balance: z.optional(z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/))),
  iconUrl: z.optional(z.string().check(z.maxLength(2_048))),
  mark: z.optional(tokenMark),
})
export type FrameAddedToken = z.infer<typeof addedToken>

/**
 * The messages between the secure frame and the page around it (host). The host makes an iframe of
 * `${frameUrl}/f/${projectId}` with {@link frameSandbox} and {@link frameAllow} and calls
 * `openChannel` in the same task. Send requests that wait for the user with `timeoutMs: null`:
 * APP_CONNECT_DEVICE, APP_UPDATE_EMAIL, APP_CONNECT_OTP and the email codes without `otp`,
 * APP_OPEN, APP_GET_USER (may ask for consent) and APP_RPC_REQUEST. When the signal of a request
 * aborts, the frame closes the request's screen.
 */
export const frameProtocol = {
  requests: {
    /**
     * `CONNECT`: a session exists; continue with APP_GET_USER. Throws EMAIL_INVALID,
     * LOGIN_THROTTLED, EMAIL_LOGIN_OFF.
     */
    APP_CONNECT_EMAIL: { params: z.object({ email }), result: loginStep },
    /** Sends a new link or code for the current login. Throws LOGIN_THROTTLED, LOGIN_ENDED. */
    APP_RESEND: { params: nothing, result: z.object({ resendSeconds: z.number() }) },
    /** Resolves when the link in the email was approved. Throws LOGIN_ENDED. */
    APP_CONNECT_DEVICE: { params: nothing, result: nothing },
    /**
     * Resolves when the code was correct and the wallet is ready (created, or recovered on this
     * device). The page of an operator may get it before recovery is set up. Throws CODE_WRONG and
     * CODE_USED_UP (host surface only), and USER_REJECTED if the user closed it.
     */
    APP_CONNECT_OTP: { params: z.object({ otp }), result: nothing },
    /**
     * Begins a login at a provider. `uri` is on the frame's origin, for a popup that the page
     * opened in the user's click; it is useless without this frame. `returnUrl` is the page's URL,
     * the last page of a popup that cannot reach its opener. With `inTab` the page itself navigates
     * to `uri` and returns to `returnUrl`. Throws INVALID_PARAMS (no such provider, a URL of
     * another origin), LOGIN_THROTTLED, UNSUPPORTED_METHOD (this browser stores nothing here).
     */
    APP_GET_SOCIAL_REDIRECT_URI: {
      params: z.object({
        provider: socialProvider,
        returnUrl: z.optional(pageUrl),
        inTab: z.optional(z.boolean()),
      }),
      result: z.object({ uri: z.string() }),
    },
    /**
     * The page has returned from the provider, with the challenge of the window that opened the
     * provider. `uri` is the login that continues here with APP_CONNECT_SOCIAL; without `uri`, the
     * login continues in the tab that waits for it. Throws LOGIN_ENDED.
     */
    APP_RETURN_SOCIAL: {
      params: z.object({ challenge: z.string().check(z.regex(/^[\w-]{43}$/)) }),
      result: z.object({ uri: z.optional(z.string()) }),
    },
    /**
     * Waits for the provider's response in that window, and until the wallet is ready. Send with
     * `timeoutMs: null`. Throws USER_REJECTED (there or here), LOGIN_ENDED.
     */
    APP_CONNECT_SOCIAL: { params: z.object({ uri: pageUrl }), result: frameUser },
    /**
     * Begins a login with Farcaster. `url` is for the user's Farcaster app: a QR code, on a phone a
     * link. Throws INVALID_PARAMS (the server does not support it), LOGIN_THROTTLED,
     * OUTBOUND_FAILED.
     */
    APP_GET_FARCASTER_URI: { params: nothing, result: z.object({ url: z.string() }) },
    /**
     * Waits until the app has signed and the wallet is ready. Send with `timeoutMs: null`. Throws
     * USER_REJECTED, LOGIN_ENDED.
     */
    APP_CONNECT_FARCASTER: { params: nothing, result: z.object({ userName: z.string() }) },
    /**
     * Signs in with a passkey, on a screen of the frame, and waits until the wallet is ready. With
     * `create`, a new passkey begins a new account. Send with `timeoutMs: null`. Throws
     * USER_REJECTED, and UNSUPPORTED_METHOD if the server makes no accounts with a passkey alone.
     */
    APP_CONNECT_PASSKEY: {
      params: z.object({ create: z.optional(z.boolean()) }),
      result: frameUser,
    },
    /** Throws SIGNED_OUT, USER_REJECTED (no consent for this origin), CHAIN_NOT_SUPPORTED. */
    APP_GET_USER: {
      params: z.object({
        chainId: z.optional(chain),
        preferredAccountType: z.optional(accountType),
      }),
      result: frameUser,
    },
    APP_SIGN_OUT: { params: nothing, result: nothing },
    APP_IS_CONNECTED: {
      params: z.object({ token: z.optional(token) }),
      result: z.object({ isConnected: z.boolean() }),
    },
    APP_GET_CHAIN_ID: { params: nothing, result: z.object({ chainId: chain }) },
    /** Throws CHAIN_NOT_SUPPORTED. */
    APP_SWITCH_NETWORK: {
      params: z.object({ chainId: chain }),
      result: z.object({ chainId: chain }),
    },
    /**
     * `smartAccount` asks the user to decide; the result has the type in use after that. Throws
     * USER_REJECTED, and CHAIN_NOT_SUPPORTED if no network has smart accounts.
     */
    APP_SET_PREFERRED_ACCOUNT: {
      params: z.object({ type: accountType }),
      result: z.object({ type: accountType, address }),
    },
    /**
     * The current account: with EIP-7702 the smart account has the address of the key. Throws
     * CHAIN_NOT_SUPPORTED.
     */
    APP_INIT_SMART_ACCOUNT: {
      params: nothing,
      result: z.object({ address, isDeployed: z.boolean() }),
    },
    APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
      params: nothing,
      result: z.object({ smartAccountEnabledNetworks: z.array(z.number()) }),
    },
    /**
     * Shows the new address and asks for consent before any mail is sent. Throws EMAIL_INVALID,
     * USER_REJECTED, LOGIN_THROTTLED.
     */
    APP_UPDATE_EMAIL: {
      params: z.object({ email }),
      result: z.object({
        action: z.enum(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']),
        resendSeconds: z.optional(z.number()),
      }),
    },
    APP_UPDATE_EMAIL_PRIMARY_OTP: { params: z.object({ otp }), result: nothing },
    APP_UPDATE_EMAIL_SECONDARY_OTP: {
      params: z.object({ otp }),
      result: z.object({ newEmail: z.string() }),
    },
    /** Only known tokens apply (`--lk-accent` and hex colors, `--lk-radius` in px). */
    APP_SYNC_THEME: {
      params: z.object({
        themeMode: z.optional(z.enum(['dark', 'light', 'system'])),
        themeVariables: z.optional(themeTable),
        w3mThemeVariables: z.optional(themeTable),
        direction: z.optional(z.enum(['ltr', 'rtl'])),
      }),
      result: nothing,
    },
    /** Claims: shown small, below the verified origin. */
    APP_SYNC_DAPP_DATA: {
      params: z.object({
        metadata: z.optional(
          z.object({
            name: text,
            description: z.optional(text),
            url: z.optional(text),
            icons: z.optional(z.array(text).check(z.maxLength(20))),
          }),
        ),
        sdkVersion: z.optional(text),
        sdkType: z.optional(text),
        projectId: z.optional(text),
      }),
      result: nothing,
    },
    /** The frame reloads itself: the channel closes, and `openChannel` has to run again. */
    APP_RELOAD: { params: nothing, result: nothing },
    /**
     * Responds to safe methods at once, to others after the user's approval. Throws
     * REQUEST_NOT_ALLOWED (neither), ABORTED, USER_REJECTED, RATE_LIMITED (more than 20 a minute),
     * UNAUTHORIZED, INVALID_PARAMS, RPC_FAILED, CHAIN_NOT_SUPPORTED.
     */
    APP_RPC_REQUEST: {
      params: z.object({
        method: z.string().check(z.minLength(1), z.maxLength(100)),
        params: z.optional(z.unknown()),
        chainId: z.optional(chain),
        chainNamespace: z.optional(z.enum(frameNamespaces)),
      }),
      result: z.unknown(),
    },
    /**
     * Tokens that the user has added on this page (`wallet_watchAsset`). Throws UNAUTHORIZED,
     * RATE_LIMITED, RPC_UNAVAILABLE.
     */
    APP_GET_TOKENS: {
      params: z.object({ chainId: chain }),
      result: z.object({ tokens: z.array(addedToken).check(z.maxLength(maxNamedAssets)) }),
    },
    /** Takes a token off that list. Throws UNAUTHORIZED. */
    APP_REMOVE_TOKEN: { params: z.object({ chainId: chain, address: text }), result: nothing },
    /** Ends every pending request that is not safe with ABORTED; safe requests continue. */
    APP_RPC_ABORT: { params: nothing, result: nothing },
    /**
     * Shows a page; resolves when it was closed. The question for a way of recovery resolves when
     * the user has answered, and throws USER_REJECTED if it was closed. Throws SIGNED_OUT.
     */
    APP_OPEN: { params: z.object({ page: framePage }), result: nothing },
    /**
     * The user closed the dialog around the frame: the frame closes its screen, and the screen's
     * request ends with USER_REJECTED.
     */
    APP_CLOSE: { params: nothing, result: nothing },
  },
  events: {
    /** Once, first. */
    FRAME_READY: z.object({ version: z.string() }),
    /**
     * Known-device token to store for the next APP_IS_CONNECTED; null to delete it. Useless by
     * itself.
     */
    FRAME_SESSION_UPDATE: z.object({ token: z.nullable(token) }),
    /**
     * The session ended inside the frame (signed out there, revoked, deleted), or the page's access
     * to it by `wallet_disconnect`.
     */
    FRAME_SIGNED_OUT: nothing,
    /** Another wallet of the user is in use: APP_GET_USER returns its account. */
    FRAME_ACCOUNT: nothing,
    /** The user set up a way of recovery in this browser: the wallet had none. */
    FRAME_RECOVERY: z.object({ isRecoverable: z.boolean() }),
    /** The user changed the email address inside the frame. */
    FRAME_EMAIL: z.object({ email: z.string() }),
    /**
     * The popup of a social login closed without the provider's response to this login, for example
     * with the response to another login. The login continues.
     */
    FRAME_SOCIAL_STRAY: nothing,
    /** The user turned the smart account on or off inside the frame. */
    FRAME_ACCOUNT_TYPE: z.object({ address, type: accountType }),
    /**
     * Show the frame, `title` in the host's header, at least `height` CSS px high (its content; it
     * scrolls if it gets less) and 360 px wide. Sent again after a change. An approval needs at
     * least 480 px, uncovered, unscaled, unclipped.
     */
    FRAME_SHOW: z.object({ view: frameView, title: z.string(), height: z.number() }),
    FRAME_HIDE: nothing,
  },
} as const satisfies Protocol
export type FrameProtocol = typeof frameProtocol

/** `sandbox` of the iframe. */
export const frameSandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation'

/** `allow` of the iframe of the frame at `origin`. */
export const frameAllow = (origin: string): string =>
  `publickey-credentials-get ${origin}; publickey-credentials-create ${origin}; clipboard-write ${origin}`

/** URL of the iframe. */
export const frameAddress = (frameUrl: string, projectId: string): string =>
  new URL(`/f/${encodeURIComponent(projectId)}`, frameUrl).href

/**
 * Smallest size of the frame for an approval, in CSS px. A page of 320 × 480 leaves this width, and
 * a window of 1280 × 800 this height at 200% zoom.
 */
export const approvalSize = { width: 320, height: 320 } as const

/**
 * The data that the server writes into the frame's page, as JSON in
 * `<meta name="latchkey-frame" content="…">`, whose content is empty in the built page.
 * `ancestors`: the sources of `frame-ancestors`: origins whose host may begin with `*.` and whose
 * port may be `*`. `recoveryLater`: the origins of the pages that get the address of a new wallet
 * before recovery is set up. `passkeyAccounts`: a passkey alone begins an account. `chains`: the
 * chains that `/rpc/{id}` supports.
 */
export const framePageFacts = z.object({
  projectId: z.string(),
  ancestors: z.array(z.string()),
  recoveryLater: z.optional(z.array(z.string())),
  otpSurface: z.enum(['frame', 'host']),
  emailLogin: z.boolean(),
  passkeyAccounts: z.optional(z.boolean()),
  /** Providers of social login, in the order in which they are offered. */
  socials: z._default(z.array(socialProvider), []),
  chains: z.array(
    z.object({
      id: z.string(),
      name: z.optional(z.string()),
      symbol: z.optional(z.string()),
      decimals: z.optional(z.number()),
      /** The network has smart accounts; `sponsor` pays for some of their operations. */
      smartAccounts: z.optional(
        z.object({
          sponsor: z.optional(z.object({ name: z.string(), paymaster: z.string() })),
          /** Users can grant pages permissions to act on their own (ERC-7715). */
          permissions: z.optional(z.boolean()),
        }),
      ),
    }),
  ),
})
export type FramePageFacts = z.infer<typeof framePageFacts>
