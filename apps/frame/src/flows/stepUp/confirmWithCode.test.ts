import {
  isError,
  LatchkeyError,
  listIdentitiesRoute,
  startLoginRoute,
  startSocialRoute,
} from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createLoginSession } from '../../auth/loginSession.ts'
import type { CodePrompt } from '../../screens/CodeScreen.tsx'
import type { SocialProps } from '../../screens/SocialScreen.tsx'
import { createScreenQueue } from '../../screens/screenQueue.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { confirmWithCode, type StepUpRequest } from './confirmWithCode.ts'

const handle = 'x'.repeat(22)
const delivers = { tx: handle, action: 'VERIFY_OTP', matchCode: '42', resendSeconds: 30 }

type Parameters = {
  readonly email?: string | null
  readonly providers?: readonly string[]
  /** Which of them are from before the address; `unsaid` by an older server. */
  readonly older?: readonly string[] | 'unsaid'
  /** The ways that the server offers. */
  readonly offered?: readonly string[]
  readonly list?: () => void
  readonly mail?: () => unknown
  readonly action?: StepUpRequest['action']
}

/** Begins the confirmation of a user with these ways to sign in, up to its first screen. */
async function confirm({
  email = 'ann@people.example',
  providers = [],
  older = [],
  offered = providers,
  list = () => {},
  mail = () => delivers,
  action = 'delete',
}: Parameters) {
  const called: string[] = []
  const identities = providers.map((provider) => ({
    id: '1',
    provider,
    name: '',
    createdAtMs: 1,
    ...(older !== 'unsaid' && { precedesEmail: older.includes(provider) }),
  }))
  const session = createLoginSession({
    store: createMemoryStore(),
    now: () => 0,
    send: async ({ path }) => {
      called.push(path)
      if (path === listIdentitiesRoute.path) {
        list()
        return { identities, providers: offered }
      }
      return path === startLoginRoute.path ? mail() : { tx: handle }
    },
  })
  await session.saveTokens({
    accessToken: 'a'.repeat(43),
    refreshToken: 'r'.repeat(43),
    expiresInSeconds: 600,
    userId: 'ann',
    deviceId: 'browser',
    email,
    stepUpSeconds: 0,
  })
  const screenQueue = createScreenQueue()
  const context = { session, screenQueue, facts: { projectId: 'local' } }
  const about = { text: 'Delete your wallet' }
  const ended = confirmWithCode(context, { origin: 'http://app.example', action, about }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const view = () => screenQueue.current()?.view
  await Promise.race([ended, expect.poll(view).toBeDefined()])
  const props = screenQueue.current()?.props as CodePrompt<string> &
    Pick<SocialProps, 'text' | 'providers'> & { done: (result: string) => void }
  return { called, ended, view, props }
}

test('default: in addition to the code, a sign-in at a provider of the account is offered, and confirms', async () => {
  const { called, view, props } = await confirm({ providers: ['github'] })
  expect([view(), props.other?.label]).toEqual(['code', 'Confirm with a sign-in instead'])
  props.done('provider')
  await expect.poll(view).toBe('social')
  expect(called).toContain(startSocialRoute.path)
})

test('behavior: without a provider the code is all there is, and without an address the provider', async () => {
  const alone = await confirm({})
  expect([alone.view(), alone.props.other]).toEqual(['code', undefined])
  const social = await confirm({ email: null, providers: ['github'] })
  expect([social.view(), social.called]).toEqual([
    'social',
    [listIdentitiesRoute.path, startSocialRoute.path],
  ])
})

test('param: action: only a code confirms a recovery', async () => {
  const { view, props } = await confirm({ providers: ['github'], action: 'recovery' })
  expect([view(), props.other]).toEqual(['code', undefined])
})

test('param: action: no code removes the address itself, nor a sign-in from before it: such a sign-in does', async () => {
  const account = { providers: ['github', 'discord', 'google'], older: ['github', 'google'] }
  for (const action of ['unlink email', 'unlink github', 'unlink google'] as const) {
    const { called, view, props } = await confirm({ ...account, action })
    expect([view(), props.providers, called]).toEqual([
      'social',
      ['github', 'google'],
      [listIdentitiesRoute.path],
    ])
    expect(props.text).toContain(
      'If you can use neither, add a passkey under Recovery: it confirms this three days later.',
    )
  }
  const later = await confirm({ ...account, action: 'unlink discord' })
  expect([later.view(), later.props.other?.result]).toEqual(['code', 'provider'])
})

test('param: precedesEmail: if an older server does not report it, every sign-in may precede the address', async () => {
  const account = { providers: ['github', 'discord'], older: 'unsaid' } as const
  const { view, props } = await confirm({ ...account, action: 'unlink discord' })
  expect([view(), props.providers]).toEqual(['social', ['github', 'discord']])
  expect((await confirm({ ...account, action: 'delete' })).view()).toBe('code')
})

test('behavior: a removed provider is not offered, and the screen explains how to continue without it', async () => {
  const gone = { providers: ['github'], older: ['github'], offered: [] }
  expect((await confirm(gone)).props.other).toBe(undefined)
  const { view, props } = await confirm({ ...gone, action: 'unlink github' })
  expect([view(), props.providers]).toEqual(['social', []])
  expect(props.text).toContain('add a passkey under Recovery')
})

test('error: if the sign-ins cannot be listed, a code confirms, but cannot remove a sign-in', async () => {
  const list = () => {
    throw new LatchkeyError('DATABASE_UNAVAILABLE', { data: { seconds: 5 } })
  }
  const { view, props } = await confirm({ list })
  expect([view(), props.other]).toEqual(['code', undefined])
  for (const failing of [{ email: null }, { action: 'unlink github' as const }])
    expect(isError(await (await confirm({ ...failing, list })).ended, 'DATABASE_UNAVAILABLE')).toBe(
      true,
    )
})

test('error: if no email can be sent to the mailbox, the provider confirms, if there is a provider', async () => {
  const mail = () => {
    throw new LatchkeyError('MAIL_NOT_SENT')
  }
  expect((await confirm({ providers: ['github'], mail })).view()).toBe('social')
  const { ended } = await confirm({ mail })
  expect(isError(await ended, 'MAIL_NOT_SENT')).toBe(true)
})
