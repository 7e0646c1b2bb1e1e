import {
  isConnected,
  loginSocial,
  openModal,
  pushView,
  request,
  setTheme,
  type View,
} from '@latchkey/core/internal'
import { type FramePage, LatchkeyError } from '@latchkey/wire'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import {
  ConnectButton,
  LatchkeyProvider,
  type Messages,
  NetworkButton,
  useAccount,
} from '../src/index.ts'
import { en } from '../src/locales/en.ts'
import { enLogin } from '../src/locales/enLogin.ts'
import '../src/theme.css'
import type { FrameScript } from './frame/main.ts'
import { alice, testApp } from './testApp.ts'
import { violations } from './violations.ts'
import { watchPlace } from './watch/watchPlace.ts'

let script: FrameScript
let app: ReturnType<typeof testApp>

beforeEach(() => {
  script = { calls: [], answers: {} }
  Object.assign(window, { frameScript: script })
})

type Settings = Parameters<typeof testApp>

async function show(
  config: Settings[0] = {},
  messages: Messages = {},
  environment: Settings[2] = {},
  answers: Settings[1] = {},
) {
  app = testApp({ frameUrl: location.origin, ...config }, answers, environment)
  await render(
    <LatchkeyProvider app={app} messages={messages}>
      <NetworkButton />
      <ConnectButton />
      <Facts />
    </LatchkeyProvider>,
  )
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const field = () => dialog().getByRole('textbox', { name: 'Email address' })
const open = () => page.getByRole('button', { name: 'Connect wallet' }).click()
const topView = () => app.store.getState().modal.history.at(-1)?.name
const frameDialog = () => document.querySelector('iframe')?.closest('dialog') as HTMLDialogElement
const card = () => document.querySelector('dialog [data-view]') as HTMLElement

/** Logs in with the field; the user’s session is alive. */
async function logIn(config: Parameters<typeof testApp>[0] = {}, messages: Messages = {}) {
  script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
  await show(config, messages)
  openModal(app)
  await field().fill('ada@mail.example')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
  await expect.poll(() => app.store.getState().modal.open).toBe(false)
}

function Facts() {
  const { user, smartAccountDeployed, addressLabels } = useAccount()
  return <data hidden>{JSON.stringify({ user, smartAccountDeployed, addressLabels })}</data>
}

const say = (height = 500, view: 'approve' | 'code' | Exclude<FramePage, 'back-up'> = 'approve') =>
  script.line?.emit('FRAME_SHOW', { view, title: 'Sign a message', height })

describe('the email field', () => {
  test('default: stands first, leads to the device', async () => {
    await show()
    await open()
    await expect.element(field()).toBeVisible()
    const first = dialog().getByRole('list', { name: 'Wallets' }).element().getBoundingClientRect()
    expect(field().element().getBoundingClientRect().bottom).toBeLessThan(first.top)
    expect(await violations()).toEqual([])
    expect(document.querySelector('iframe')).toBeNull()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog().getByText('42')).toBeVisible()
    await expect.element(dialog().getByText('ada@mail.example')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('error: a failed wait continues the same login; a login that has ended starts again', async () => {
    const waits: ((error: LatchkeyError) => void)[] = []
    script.answers.APP_CONNECT_DEVICE = () => new Promise((_done, fail) => waits.push(fail))
    const end = async (wait: number, code: 'OFFLINE' | 'LOGIN_ENDED') => {
      await expect.poll(() => waits.length).toBe(wait)
      waits.at(-1)?.(new LatchkeyError(code))
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await end(1, 'OFFLINE')
    await button('Try again').click()
    await expect.element(dialog().getByText('42')).toBeVisible()
    await end(2, 'LOGIN_ENDED')
    await button('Start again').click()
    await expect.element(field()).toBeVisible()
  })

  test('error: what is no address is said below the field, which keeps the focus', async () => {
    await show()
    await open()
    await field().fill('ada@mail')
    await button('Continue with email').click()
    await expect.element(dialog().getByText('Enter a valid email address')).toBeVisible()
    expect(document.activeElement).toBe(field().element())
    expect(await violations()).toEqual([])
    await field().fill('ada@mail.e')
    await expect.element(dialog().getByText('Enter a valid')).not.toBeInTheDocument()
    expect(document.querySelector('iframe')).toBeNull()
  })

  test('behavior: the field is read-only while the request is pending; leaving cancels it', async () => {
    let given: AbortSignal | undefined
    script.answers.APP_CONNECT_EMAIL = (_params, { signal }) => {
      given = signal
      return new Promise(() => {})
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => given).toBeDefined()
    await expect.element(dialog().getByText(/^Still waiting for .+…$/)).toBeVisible()
    expect((field().element() as HTMLInputElement).readOnly).toBe(true)
    await expect.element(button('Continue with email')).toHaveAttribute('aria-busy', 'true')
    await button('Close').click()
    await expect.poll(() => given?.aborted).toBe(true)
  })

  test('error: too soon: the seconds that are left count down', async () => {
    script.answers.APP_CONNECT_EMAIL = () => {
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: 2 } })
    }
    let nowMs = Date.now()
    await show({}, {}, { now: () => nowMs })
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog().getByText('Please try again after 2 seconds')).toBeVisible()
    nowMs += 1_000
    await expect.element(dialog().getByText('Please try again after 1 second')).toBeVisible()
    nowMs += 1_000
    await expect.element(dialog().getByText('Please try again')).not.toBeInTheDocument()
  })

  test('error: a long wait has its reason', async () => {
    script.answers.APP_CONNECT_EMAIL = () => {
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: 600 } })
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(
        dialog().getByText('Too many sign-ins in a short time. Please try again after 10 minutes'),
      )
      .toBeVisible()
  })

  test('param: modal.connectOrder, login.showWallets, modal.legalCheckbox, login.email', async () => {
    await show({ modal: { connectOrder: ['wallet', 'email'] } })
    await open()
    await expect.element(field()).toBeVisible()
    const list = dialog().getByRole('list', { name: 'Wallets' }).element().getBoundingClientRect()
    expect(field().element().getBoundingClientRect().top).toBeGreaterThan(list.top)
    app.destroy()
    document.body.replaceChildren()

    await show({
      login: { showWallets: false },
      modal: { legalCheckbox: true, termsUrl: 'https://example.org' },
    })
    await open()
    await expect.element(field()).toBeDisabled()
    await dialog().getByRole('checkbox').click()
    await expect.element(field()).toBeEnabled()
    await expect.element(button('All wallets')).not.toBeInTheDocument()
    await button('Continue with a wallet').click()
    await expect.element(button('Alder')).toBeVisible()
  })
})

describe('codes', () => {
  test('default: the frame prompts for the code, and the page connects', async () => {
    let finish = () => {}
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP' })
    script.answers.APP_CONNECT_OTP = () => {
      say(420, 'code')
      return new Promise((resolve) => {
        finish = () => resolve({})
      })
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => frameDialog()?.open).toBe(true)
    expect(document.querySelector('[data-pane="next"] input')).toBeNull()
    finish()
    await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
    expect(frameDialog().open).toBe(false)
  })

  test('behavior: Back from the code returns to the previous view', async () => {
    let given: AbortSignal | undefined
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP' })
    script.answers.APP_CONNECT_OTP = (_params, { signal }) => {
      given = signal
      say(420, 'code')
      return new Promise(() => {})
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => frameDialog()?.open).toBe(true)
    await page
      .getByRole('dialog', { name: 'Sign a message' })
      .getByRole('button', { name: 'Back' })
      .click()
    await expect.poll(topView).toBe('Connect')
    await expect.poll(() => given?.aborted).toBe(true)
    expect(frameDialog().open).toBe(false)
  })

  test('param: login.otpSurface host: six boxes; paste fills and hands over, a wrong code empties', async () => {
    const codes: unknown[] = []
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP', resendSeconds: 1 })
    script.answers.APP_CONNECT_OTP = ({ otp }) => {
      codes.push(otp)
      if (otp !== '123456') throw new LatchkeyError('CODE_WRONG')
      return {}
    }
    await show({ login: { otpSurface: 'host' } })
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    const first = dialog().getByRole('textbox', { name: 'Digit 1 of 6' })
    await first.click()
    await userEvent.keyboard('654321')
    await expect
      .element(dialog().getByText('This code is wrong. Check the newest email'))
      .toBeVisible()
    await expect.element(first).toHaveValue('')
    expect(await violations()).toEqual([])
    await expect.element(button('Send again')).toBeEnabled()
    const paste = new DataTransfer()
    paste.setData('text', ' 123-456 ')
    first
      .element()
      .dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: paste, bubbles: true, cancelable: true }),
      )
    await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
    expect(codes).toEqual(['654321', '123456'])
  })

  test('behavior: six digits at once fill from the first box, digits of any script count, letters do not stay', async () => {
    const codes: unknown[] = []
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP', resendSeconds: 1 })
    script.answers.APP_CONNECT_OTP = ({ otp }) => {
      codes.push(otp)
      throw new LatchkeyError('CODE_WRONG')
    }
    await show({ login: { otpSurface: 'host' } })
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    const box = (number: number) => dialog().getByRole('textbox', { name: `Digit ${number} of 6` })
    await box(1).click()
    await userEvent.keyboard('a')
    await expect.element(box(1)).toHaveValue('')
    await userEvent.keyboard('3')
    await box(2).fill('364377')
    await expect.poll(() => codes).toEqual(['364377'])
    await expect.element(box(1)).toHaveValue('')
    await box(1).fill('３')
    await expect.element(box(1)).toHaveValue('3')
    await box(1).fill('364377')
    await expect.poll(() => codes).toEqual(['364377', '364377'])
    await expect.element(box(1)).toHaveValue('')
    for (const [index, digit] of [...'٣٦٤٣٧٧'].entries()) await box(index + 1).fill(digit)
    await expect.poll(() => codes).toEqual(['364377', '364377', '364377'])
  })

  test('error: the window for the code was closed: it opens again', async () => {
    let asked = 0
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'VERIFY_OTP' })
    script.answers.APP_CONNECT_OTP = () => {
      asked += 1
      throw new LatchkeyError('USER_REJECTED')
    }
    await show()
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog().getByText('Not confirmed yet')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Enter the code').click()
    await expect.poll(() => asked).toBe(2)
  })
})

describe('the frame', () => {
  const sign = () => request(app, { method: 'personal_sign', params: ['0x61', alice] })

  test('default: an approval takes the place of the modal, has the focus, and returns it', async () => {
    await logIn()
    let answer = (_value: string) => {}
    script.answers.APP_RPC_REQUEST = () => {
      say()
      return new Promise((resolve) => {
        answer = resolve
      })
    }
    const opener = page.getByRole('button', { name: /^Account 0x/ })
    await expect.element(opener).toBeVisible()
    ;(opener.element() as HTMLElement).focus()
    const signing = sign()
    await expect.poll(() => frameDialog()?.open).toBe(true)
    expect(topView()).toBe('ApproveTransaction')
    await expect.element(page.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
    await expect.poll(() => document.activeElement?.tagName).toBe('IFRAME')
    expect(frameDialog().matches(':modal')).toBe(true)
    const { left, width, top, bottom } = frameDialog().getBoundingClientRect()
    const behind = card().getBoundingClientRect()
    expect([left, width]).toEqual([behind.left, behind.width])
    expect(Math.abs(top + bottom - behind.top - behind.bottom)).toBeLessThanOrEqual(1)
    expect(document.querySelector('iframe')?.getBoundingClientRect()).toMatchObject({
      width: 376,
      height: 500,
    })
    await expect.poll(() => getComputedStyle(card()).opacity).toBe('0')
    expect(await violations()).toEqual([])
    answer(`0x${'ab'.repeat(65)}`)
    expect(await signing).toMatch(/^0x/)
    await expect.poll(() => document.querySelector('dialog[open]')).toBeNull()
    expect(document.activeElement).toBe(opener.element())
  })

  test('behavior: it is seen when its height is known, keeps it, and has the focus then', async () => {
    await logIn()
    openModal(app)
    await expect.element(dialog()).toBeVisible()
    say(0)
    await expect.poll(() => frameDialog()?.open).toBe(true)
    expect(getComputedStyle(frameDialog()).opacity).toBe('0')
    expect(getComputedStyle(card()).opacity).toBe('1')
    say(300)
    await expect.poll(() => getComputedStyle(frameDialog()).opacity).toBe('1')
    await expect.poll(() => document.activeElement?.tagName).toBe('IFRAME')
    await expect.poll(() => getComputedStyle(card()).opacity).toBe('0')
    say(0)
    await expect.element(page.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
    expect(document.querySelector('iframe')?.getBoundingClientRect().height).toBe(300)
  })

  test('behavior: a frame that reports no height still becomes visible after a while', async () => {
    await logIn()
    say(0)
    await expect.poll(() => frameDialog()?.open).toBe(true)
    await expect.poll(() => getComputedStyle(frameDialog()).opacity).toBe('1')
  })

  test('behavior: a modal that opens later stays below it', async () => {
    await logIn()
    say()
    await expect.poll(() => frameDialog()?.open).toBe(true)
    const { left, top } = frameDialog().getBoundingClientRect()
    await expect
      .poll(() => frameDialog().contains(document.elementFromPoint(left + 20, top + 20)))
      .toBe(true)
    await expect.element(page.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
  })

  test('behavior: closing it rejects what waits', async () => {
    await logIn()
    script.answers.APP_RPC_REQUEST = () => {
      say()
      return new Promise(() => {})
    }
    const signing = sign().catch((error: unknown) => error)
    await expect.element(page.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
    await page
      .getByRole('dialog', { name: 'Sign a message' })
      .getByRole('button', { name: 'Close' })
      .click()
    expect(await signing).toMatchObject({ message: 'Request was aborted' })
    expect(frameDialog().open).toBe(false)
    await expect.poll(() => script.calls).toContain('APP_RPC_ABORT')
  })

  test('behavior: Escape in its header, and a press outside it, close', async () => {
    await logIn()
    say()
    const close = page
      .getByRole('dialog', { name: 'Sign a message' })
      .getByRole('button', { name: 'Close' })
    await expect.element(close).toBeVisible()
    ;(close.element() as HTMLElement).focus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => frameDialog().open).toBe(false)
    expect(app.store.getState().modal.open).toBe(false)
    say()
    await expect.poll(() => frameDialog().open).toBe(true)
    frameDialog().dispatchEvent(new MouseEvent('click', { clientX: 5, clientY: 5 }))
    await expect.poll(() => frameDialog().open).toBe(false)
    await expect.poll(() => script.calls.filter((method) => method === 'APP_CLOSE').length).toBe(2)
  })

  test('behavior: Tab goes round between its header and the frame', async () => {
    await logIn()
    say()
    await expect.element(page.getByRole('heading', { name: 'Sign a message' })).toBeVisible()
    const close = page
      .getByRole('dialog', { name: 'Sign a message' })
      .getByRole('button', { name: 'Close' })
    const edges = [...frameDialog().children].filter(({ tagName }) => tagName === 'SPAN')
    ;(edges[1] as HTMLElement).focus()
    expect(document.activeElement).toBe(close.element())
    ;(edges[0] as HTMLElement).focus()
    expect(document.activeElement?.tagName).toBe('IFRAME')
  })

  test.each(['ltr', 'rtl'])('behavior: a bottom sheet on a phone, %s', async (direction) => {
    await page.viewport(390, 844)
    document.documentElement.dir = direction
    await logIn()
    say(700)
    await expect.poll(() => frameDialog()?.open).toBe(true)
    await expect
      .poll(() => frameDialog().getBoundingClientRect())
      .toMatchObject({ left: 0, width: 390, bottom: 844 })
    expect(document.querySelector('iframe')?.getBoundingClientRect().height).toBe(700)
    say(2_000)
    await expect.poll(() => frameDialog().getBoundingClientRect().top).toBe(0)
  })

  test('behavior: its header pulled down closes it on a phone', async () => {
    await page.viewport(390, 844)
    await logIn()
    say()
    const heading = page.getByRole('heading', { name: 'Sign a message' })
    await expect.element(heading).toBeVisible()
    const pull = (type: string, clientY: number) => {
      const target = heading.element()
      const touches = [new Touch({ identifier: 1, target, clientX: 100, clientY })]
      const init = { bubbles: true, cancelable: true, changedTouches: touches }
      target.dispatchEvent(new TouchEvent(type, type === 'touchend' ? init : { ...init, touches }))
    }
    pull('touchstart', 300)
    pull('touchmove', 420)
    pull('touchend', 420)
    await expect.poll(() => frameDialog().open).toBe(false)
    expect(app.store.getState().modal.open).toBe(false)
  })

  test('behavior: its element is never moved: the document lives on', async () => {
    await logIn()
    const line = script.line
    for (let round = 0; round < 3; round += 1) {
      say()
      await expect.poll(() => frameDialog().open).toBe(true)
      script.line?.emit('FRAME_HIDE', {})
      await expect.poll(() => frameDialog().open).toBe(false)
    }
    expect(script.line).toBe(line)
    expect(document.querySelectorAll('iframe').length).toBe(1)
  })

  test('error: it cannot be reached', async () => {
    await show({ frameUrl: 'http://127.0.0.1:9' })
    await open()
    await field().fill('ada@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog().getByText('kept 127.0.0.1:9 from loading')).toBeVisible()
    expect(await violations()).toEqual([])
  })
})

describe('an account only on this device', () => {
  const lacking = () => {
    script.answers.APP_GET_USER = () => ({
      ...{ email: 'ada@mail.example', address: alice, chainId: 31337 },
      isRecoverable: false,
    })
  }
  const questions = () => script.calls.filter((method) => method === 'APP_OPEN').length

  test('default: a line names what is missing, and one press sets it up', async () => {
    lacking()
    await logIn()
    openModal(app)
    await expect.element(dialog().getByText('Only on this device')).toBeVisible()
    const network = dialog()
      .getByRole('button', { name: /^Change network/ })
      .getByText('Latchkey')
    const { clientWidth, scrollWidth } = network.element()
    expect(clientWidth).toBe(scrollWidth)
    for (const mode of ['light', 'dark'] as const) {
      setTheme(app, { mode })
      expect(await violations()).toEqual([])
    }
    script.answers.APP_OPEN = ({ page: shown }) => {
      expect(shown).toBe('back-up')
      script.line?.emit('FRAME_RECOVERY', { isRecoverable: true })
      return {}
    }
    await button('Back up').click()
    await expect.element(dialog().getByText('Only on this device')).not.toBeInTheDocument()
    await button('Receive').first().click()
    await expect.element(button('Copy address')).toBeVisible()
    expect(questions()).toBe(1)
  })

  test('behavior: the question comes before the address, once a visit', async () => {
    lacking()
    await logIn()
    let answer = () => {}
    script.answers.APP_OPEN = () => new Promise((done) => (answer = () => done({})))
    openModal(app)
    pushView(app, { name: 'Receive' })
    await expect.poll(questions).toBe(1)
    await expect.element(button('Copy address')).not.toBeInTheDocument()
    answer()
    await expect.element(button('Copy address')).toBeVisible()
    pushView(app, { name: 'RegisterAccountName' })
    await expect.element(dialog().getByRole('textbox')).toBeVisible()
    expect(questions()).toBe(1)
  })

  test('behavior: who closes the question sees no address, and can answer it', async () => {
    lacking()
    await logIn()
    script.answers.APP_OPEN = () => {
      throw new LatchkeyError('USER_REJECTED')
    }
    openModal(app)
    pushView(app, { name: 'Receive' })
    await expect.element(dialog().getByText('You closed the secure window')).toBeVisible()
    await expect.element(button('Copy address')).not.toBeInTheDocument()
    script.answers.APP_OPEN = () => ({})
    await button('Try again').click()
    await expect.element(button('Copy address')).toBeVisible()
  })

  test('error: if the frame cannot ask, no address is shown, and it can be tried again', async () => {
    lacking()
    await logIn()
    script.answers.APP_OPEN = () => {
      throw new LatchkeyError('OFFLINE')
    }
    openModal(app)
    pushView(app, { name: 'Receive' })
    await expect.element(dialog().getByText('The secure window did not open')).toBeVisible()
    await expect.element(button('Copy address')).not.toBeInTheDocument()
    expect(await violations()).toEqual([])
    script.answers.APP_OPEN = () => ({})
    await button('Try again').click()
    await expect.element(button('Copy address')).toBeVisible()
  })
})

describe('settings', () => {
  test('default: address, email, network, pages of the frame, and the way out', async () => {
    await logIn()
    openModal(app)
    await button('Account settings: ada@mail.example').click()
    await expect.element(button(/^Devices/)).toBeVisible()
    expect(await violations()).toEqual([])
    script.answers.APP_OPEN = ({ page: shown }) => {
      script.calls.push(shown)
      if (shown !== 'back-up') say(480, shown)
      return new Promise(() => {})
    }
    for (const name of [/^Recovery phrase/, /^Smart account/])
      await expect.element(button(name)).toBeVisible()
    const pages = [
      /^Devices/,
      /^Sign-ins/,
      /^Recovery ?How/,
      /^Replace this wallet/,
      /^Your picture/,
    ]
    for (const name of pages) {
      await button(name).click()
      await expect.poll(() => frameDialog().open).toBe(true)
      await page
        .getByRole('dialog', { name: 'Sign a message' })
        .getByRole('button', { name: 'Back' })
        .click()
      await expect.poll(() => frameDialog().open).toBe(false)
    }
    expect(script.calls).toEqual(
      expect.arrayContaining(['devices', 'sign-ins', 'recovery', 'fresh-wallet', 'settings']),
    )
    await button('Sign out').click()
    await expect.poll(() => app.store.getState().connections.eip155.status).toBe('disconnected')
    await expect.poll(() => script.calls).toContain('APP_SIGN_OUT')
    await expect.poll(() => app.store.getState().modal.open).toBe(false)
    expect(app.store.getState().user).toBeUndefined()
  })

  test('default: a login at a provider shows the provider and the user name, and the hook returns them', async () => {
    script.answers.APP_GET_SOCIAL_REDIRECT_URI = () => ({ uri: `${location.origin}/social#tx` })
    script.answers.APP_CONNECT_SOCIAL = () => ({ address: alice, chainId: 31337 })
    script.answers.APP_GET_USER = ({ chainId = 31337 }) => ({
      ...{ userName: 'ada lovelace', address: alice, chainId },
      ...{ accounts: [{ address: alice, type: 'smartAccount' }], smartAccountDeployed: true },
    })
    await show()
    await loginSocial(app, {
      provider: 'github',
      opened: { closed: false, location: { href: '' }, close() {} },
    })
    const user = { username: 'ada lovelace', socialProvider: 'github' }
    const facts = { user, smartAccountDeployed: true, addressLabels: {} }
    await expect.poll(() => document.querySelector('data')?.textContent).toBe(JSON.stringify(facts))
    await page.viewport(390, 800)
    openModal(app)
    await button('Account settings: ada lovelace').click()
    await expect.element(dialog().getByText('Signed in with GitHub')).toBeVisible()
    await expect.element(dialog().getByText('ada lovelace')).toBeVisible()
    for (const mode of ['light', 'dark'] as const) {
      setTheme(app, { mode })
      expect(await violations()).toEqual([])
    }
    await page.viewport(1280, 720)
  })

  test('error: a network without smart accounts says so, and opens no page', async () => {
    await logIn()
    openModal(app)
    await button('Account settings: ada@mail.example').click()
    await button(/^Smart account/).click()
    const said = page.getByText('This application might not support Smart Accounts')
    await expect.element(said).toBeVisible()
    expect(await violations()).toEqual([])
    expect(script.calls).not.toContain('APP_OPEN')
  })

  test('error: the sign-out fails late; a modal that was opened again stays open', async () => {
    await logIn()
    let failSignOut = (_error: Error) => {}
    script.answers.APP_SIGN_OUT = () => new Promise((_done, fail) => (failSignOut = fail))
    openModal(app)
    await button('Account settings: ada@mail.example').click()
    await button('Sign out').click()
    await expect.poll(() => app.store.getState().modal.open).toBe(false)
    await expect.poll(() => script.calls).toContain('APP_SIGN_OUT')
    await open()
    await expect.element(field()).toBeVisible()
    failSignOut(new LatchkeyError('OFFLINE'))
    await expect.element(page.getByText(enLogin['settings.signOutFailed'])).toBeVisible()
    expect(app.store.getState().modal.open).toBe(true)
  })

  test('behavior: two codes change the email address', async () => {
    await logIn()
    openModal(app)
    pushView(app, { name: 'AccountSettings' })
    await button(/^Email/).click()
    const address = dialog().getByRole('textbox', { name: 'New email address' })
    await address.fill('ADA@mail.example')
    await button('Continue').click()
    await expect.element(dialog().getByText('This is your current address')).toBeVisible()
    expect(await violations()).toEqual([])
    await address.fill('new@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.poll(topView).toBe('AccountSettings')
    await expect.element(dialog().getByText('new@mail.example')).toBeVisible()
    expect(script.calls.filter((method) => method.startsWith('APP_UPDATE'))).toEqual([
      'APP_UPDATE_EMAIL',
      'APP_UPDATE_EMAIL_PRIMARY_OTP',
      'APP_UPDATE_EMAIL_SECONDARY_OTP',
    ])
  })

  test('behavior: an account without an email address adds it with a single code', async () => {
    await logIn()
    app.store.setState({ user: { username: 'ada' } })
    script.answers.APP_UPDATE_EMAIL = () => ({ action: 'VERIFY_SECONDARY_OTP', resendSeconds: 30 })
    openModal(app)
    pushView(app, { name: 'AccountSettings' })
    await button('Email Add an address to sign in with').click()
    await expect.element(dialog().getByRole('heading', { name: 'Add email' })).toBeVisible()
    await expect.element(dialog().getByText(enLogin['updateEmail.firstText'])).toBeVisible()
    expect(await violations()).toEqual([])
    await field().fill('new@mail.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Email address added')).toBeVisible()
    await expect.poll(topView).toBe('AccountSettings')
    await expect.element(button('Email new@mail.example')).toBeVisible()
    expect(script.calls.filter((method) => method.startsWith('APP_UPDATE'))).toEqual([
      'APP_UPDATE_EMAIL',
      'APP_UPDATE_EMAIL_SECONDARY_OTP',
    ])
  })

  test('param: login.email: no address can be added if the server sends no emails', async () => {
    await logIn()
    app.store.setState({ user: {} })
    app.config.login.email = false
    openModal(app)
    pushView(app, { name: 'AccountSettings' })
    await expect.element(dialog().getByText('None')).toBeVisible()
    await expect.element(button(/^Email/)).not.toBeInTheDocument()
  })
})

const long = (words: string): Messages =>
  Object.fromEntries(
    Object.entries({ ...en, ...enLogin }).map(([key, text]) => [
      key,
      typeof text === 'string' ? `${text} ${words}` : { other: `${text.other} ${words}` },
    ]),
  ) as Messages

const overflowing = () => {
  const sheet = document.querySelector('dialog[open]') as HTMLElement
  const edge = sheet.getBoundingClientRect()
  return [...sheet.querySelectorAll('*')]
    .filter((node) => {
      const { left, right, width, height } = node.getBoundingClientRect()
      return width > 1 && height > 1 && (left < edge.left - 1 || right > edge.right + 1)
    })
    .map((node) => `${node.tagName} ${node.textContent?.slice(0, 60)}`)
}

const views: View['name'][] = [
  'Connect',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'AccountSettings',
  'UpdateEmail',
]

describe.each([
  ['ltr', 'Donaudampfschifffahrtsgesellschaft'],
  ['rtl', 'المحفظة الرقمية للعملات'],
])('%s', (direction, words) => {
  test.each(views)('behavior: %s holds long words on a phone', async (name) => {
    await page.viewport(390, 844)
    document.documentElement.dir = direction
    script.answers.APP_CONNECT_OTP = () => new Promise(() => {})
    script.answers.APP_CONNECT_EMAIL = () => ({ action: 'CONNECT' })
    const messages = long(words)
    await show({ login: { otpSurface: 'host' } }, messages)
    app.store.setState({
      user: { email: `${'ada'.repeat(20)}@mail.example` },
      login: { email: `${'ada'.repeat(20)}@mail.example`, matchCode: '42', resendAtMs: 0 },
    })
    if (name === 'AccountSettings') {
      openModal(app)
      await dialog().getByRole('textbox').first().fill('ada@mail.example')
      await userEvent.keyboard('{Enter}')
      await expect.poll(() => isConnected(app.store.getState().connections.eip155)).toBe(true)
    }
    openModal(app, { view: { name } as View })
    await expect.element(dialog().getByText(words).last()).toBeVisible()
    await expect.poll(overflowing).toEqual([])
    expect(await violations()).toEqual([])
  })
})

describe('providers', () => {
  const other = (url: URL) =>
    url.pathname === '/v1/socials' ? { socials: ['google', 'x', 'github', 'myspace'] } : undefined
  /** The page, whose windows the test controls. */
  const pageOpening = (open: () => unknown, more: object = {}) => ({
    navigator,
    location,
    history,
    close: () => {},
    ...more,
    document,
    top: window,
    self: window,
    open,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  })

  test('default: up to five have a button with their mark, in both directions', async () => {
    await show({}, {}, {}, { other })
    await open()
    for (const name of ['Google', 'X', 'GitHub'])
      await expect.element(button(`Continue with ${name}`)).toBeVisible()
    expect(button('More ways to sign in').query()).toBeNull()
    expect(await violations()).toEqual([])
    document.documentElement.dir = 'rtl'
    await expect.element(button('Continue with GitHub')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: of more than five, the last button opens a list of all', async () => {
    const all = ['google', 'x', 'discord', 'farcaster', 'github', 'apple']
    const socials = ({ pathname }: URL) =>
      pathname === '/v1/socials' ? { socials: all } : undefined
    await show({}, {}, {}, { other: socials })
    await open()
    await expect.element(button('Continue with Farcaster')).toBeVisible()
    expect(button('Continue with GitHub').query()).toBeNull()
    await button('More ways to sign in').click()
    await expect.element(button('GitHub')).toBeVisible()
    await expect.element(page.getByRole('dialog', { name: 'Log in or connect' })).toBeVisible()
    const list = dialog().getByRole('list', { name: 'More ways to sign in' })
    expect(list.getByRole('listitem').elements()).toHaveLength(all.length)
    expect(await violations()).toEqual([])
  })

  test.each<[string, Settings[0]]>([
    ['all ways', {}],
    ['mails after providers', { modal: { connectOrder: ['social', 'email', 'wallet'] } }],
    ['mails only', { login: { socials: [] } }],
    ['providers only', { login: { email: false, socials: ['google', 'x'] } }],
  ])(
    'behavior: with %s, nothing moves when the code of its part is there, and when the server answers',
    async (_, config) => {
      // Also while it is drawn ahead of the click.
      const stop = watchPlace(() => document.querySelector<HTMLElement>('dialog ul'))
      await show(config, {}, {}, { other })
      await open()
      await expect.element(button('I have a passkey')).toBeVisible()
      if (config?.login?.socials?.length !== 0)
        await expect.element(button('Continue with Google')).toBeVisible()
      await expect.element(button(/^Alder/)).toBeVisible()
      expect(stop()).toHaveLength(1)
    },
  )

  test.each<[string, Settings[0], string[]]>([
    ['email', {}, ['email', 'create', 'use', 'or', 'Google', 'or', 'wallet']],
    ['providers', { login: { email: false } }, ['create', 'use', 'or', 'Google', 'or', 'wallet']],
    [
      'nothing else',
      { login: { email: false, socials: [] }, wallets: { enabled: false } },
      ['create', 'use'],
    ],
  ])('param: passkeyAccounts offers a new wallet, next to %s', async (_, config, parts) => {
    const login = { ...config?.login, passkeyAccounts: true }
    await show({ ...config, login }, {}, {}, { other })
    await open()
    await expect.element(button('Create a wallet with a passkey')).toBeVisible()
    const column = () =>
      [...dialog().element().querySelectorAll('input, p, button')].flatMap((element) => {
        const label = element.getAttribute('aria-label') ?? element.textContent ?? ''
        if (element.matches('input[type="email"]')) return ['email']
        if (label === 'or') return ['or']
        if (label === 'Create a wallet with a passkey') return ['create']
        if (label === 'I have a passkey') return ['use']
        if (label === 'Continue with Google') return ['Google']
        return label.startsWith('Alder') ? ['wallet'] : []
      })
    await expect.poll(column).toEqual(parts)
    expect(await violations()).toEqual([])
    const asked: unknown[] = []
    script.answers.APP_CONNECT_PASSKEY = (params) => {
      asked.push(params)
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: 120 } })
    }
    await button('Create a wallet with a passkey').click()
    await expect
      .element(
        dialog().getByText(/^Too many sign-ins in a short time. Please try again after 2 minutes$/),
      )
      .toBeVisible()
    expect(asked).toEqual([{ create: true }])
  })

  test('param: socials chooses among the server’s providers', async () => {
    await show({ login: { socials: ['github', 'apple'] } }, {}, {}, { other })
    await open()
    await expect.element(button('Continue with GitHub')).toBeVisible()
    await expect.poll(() => button(/Apple|Google/).query()).toBeNull()
  })

  test.each<[string, Settings[0], string[]]>([
    ['all ways', {}, ['email', 'or', 'Google', 'or', 'wallet']],
    ['no email', { login: { email: false, socials: ['google'] } }, ['Google', 'or', 'wallet']],
    [
      'no email, with providers last',
      {
        login: { email: false, socials: ['google'] },
        modal: { connectOrder: ['wallet', 'email', 'social'] },
      },
      ['wallet', 'or', 'Google'],
    ],
    [
      'providers alone',
      { login: { email: false, socials: ['google'] }, wallets: { enabled: false } },
      ['Google'],
    ],
  ])('behavior: with %s, each line "or" is between two parts', async (_, config, parts) => {
    await show(config, {}, {}, { other })
    await open()
    await expect.element(button('Continue with Google')).toBeVisible()
    const column = () =>
      [...dialog().element().querySelectorAll('input, p, button')].flatMap((element) => {
        const label = element.getAttribute('aria-label') ?? element.textContent ?? ''
        if (element.matches('input[type="email"]')) return ['email']
        if (label === 'or') return ['or']
        if (label === 'Continue with Google') return ['Google']
        return label.startsWith('Alder') ? ['wallet'] : []
      })
    await expect.poll(column).toEqual(parts)
  })

  test('error: a provider that does not exist is not drawn while the server is awaited', async () => {
    const later = new Promise(() => {})
    await show(
      { login: { socials: ['myspace' as never, 'google'] } },
      {},
      {},
      {
        other: (url: URL) => (url.pathname === '/v1/socials' ? later : undefined),
      },
    )
    await open()
    await expect.element(button('Continue with Google')).toBeVisible()
    expect(button(/myspace/i).query()).toBeNull()
  })

  test('param: socials: none, and the email field stays', async () => {
    await show({ login: { socials: [] } }, {}, {}, { other })
    await open()
    await expect.element(field()).toBeVisible()
    expect(button(/Continue with (Google|X)/).query()).toBeNull()
  })

  test('error: a blocked window is opened by its button, and a refusal can be tried again', async () => {
    const opened: (object | null)[] = [null]
    const target = { closed: false, location: { href: '' }, close: () => {} }
    const next = () => (opened.length > 0 ? opened.shift() : target)
    await show({}, {}, { page: pageOpening(next) as never }, { other })
    await open()
    await button('Continue with Google').click()
    await expect.element(dialog().getByText('The window was blocked')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Open the window').click()
    await expect.element(dialog().getByText('Authenticating...')).toBeVisible()
    await expect.element(dialog().getByRole('heading', { name: 'Google' })).toBeVisible()
    expect(await violations()).toEqual([])
    await expect.poll(() => target.location.href).toBe(`${location.origin}/social#tx`)
    script.line?.emit('FRAME_SOCIAL_STRAY', {})
    await expect.element(dialog().getByText(/before the sign-in was complete/)).toBeVisible()
    await button('Try again').click()
    await expect.element(dialog().getByText('Continue in the Google window')).toBeVisible()
    script.answers.APP_CONNECT_SOCIAL = () => {
      throw new LatchkeyError('USER_REJECTED')
    }
    await dialog().getByRole('button', { name: 'Back' }).click()
    await button('Continue with X').click()
    await expect.element(dialog().getByText('Not signed in')).toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Sign in another way').click()
    await expect.element(field()).toBeVisible()
  })

  test('behavior: after a blocked window the user can continue in this tab; errors there are shown', async () => {
    const assigned: string[] = []
    const here = { href: location.href, assign: (url: string) => assigned.push(url) }
    const given = pageOpening(() => null, { location: here })
    await show({}, {}, { page: given as never }, { other })
    await open()
    await button('Continue with X').click()
    await button('Continue in this tab').click()
    await expect.element(dialog().getByText('You return to this page after X')).toBeVisible()
    await expect.poll(() => assigned).toEqual([`${location.origin}/social#tx`])
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Back' }).click()
    script.answers.APP_GET_SOCIAL_REDIRECT_URI = () => {
      throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: 'inTab' } })
    }
    await button('Continue with X').click()
    await button('Continue in this tab').click()
    await expect.element(dialog().getByText(/does not store data for this page/)).toBeVisible()
    expect(assigned).toHaveLength(1)
  })

  test('behavior: in the view of another app, Google is not asked, and for others the page leaves at once', async () => {
    const userAgent = 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36'
    const assigned: string[] = []
    let opened = 0
    const given = pageOpening(() => opened++, {
      navigator: { userAgent, maxTouchPoints: 5 },
      location: { href: location.href, assign: (url: string) => assigned.push(url) },
    })
    await page.viewport(390, 700)
    let nowMs = Date.now()
    await show({}, {}, { page: given as never, now: () => nowMs }, { other })
    await open()
    await button('Continue with Google').click()
    const refusal = dialog().getByText('Google does not allow sign-ins inside another app')
    await expect.element(refusal).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Sign in another way').click()
    await button('Continue with X').click()
    await expect.element(dialog().getByText('You return to this page after X')).toBeVisible()
    await expect.poll(() => assigned).toEqual([`${location.origin}/social#tx`])
    expect(opened).toBe(0)
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Back' }).click()
    script.answers.APP_GET_SOCIAL_REDIRECT_URI = () => {
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: 3_504 } })
    }
    await button('Continue with X').click()
    await expect.element(dialog().getByText(/^Too many sign-ins from this/)).toBeVisible()
    await expect.element(button('Try again in 59 minutes')).toBeDisabled()
    expect(await violations()).toEqual([])
    nowMs += 3_504_000
    script.answers.APP_GET_SOCIAL_REDIRECT_URI = () => {
      throw new LatchkeyError('LOGIN_ENDED')
    }
    await button('Try again').click()
    await expect.element(dialog().getByText(/^X did not sign you in/)).toBeVisible()
    delete script.answers.APP_GET_SOCIAL_REDIRECT_URI
    await button('Try again').click()
    await expect.poll(() => assigned).toHaveLength(2)
    expect(opened).toBe(0)
  })

  test('behavior: Farcaster has a code, on a phone a link; what fails can be tried again', async () => {
    const socials = (url: URL) =>
      url.pathname === '/v1/socials' ? { socials: ['farcaster'] } : undefined
    await show({}, {}, {}, { other: socials })
    await open()
    await button('Continue with Farcaster').click()
    await expect.element(dialog().getByRole('img', { name: /QR code for your/ })).toBeVisible()
    await expect.element(dialog().getByText('Scan this QR Code with your phone')).toBeVisible()
    await expect.element(button('Copy link')).toBeEnabled()
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => script.calls).toContain('APP_RELOAD')
    script.answers.APP_GET_FARCASTER_URI = () => {
      throw new LatchkeyError('OUTBOUND_FAILED', { data: { host: 'relay', reason: '' } })
    }
    await button('Continue with Farcaster').click()
    await expect.element(dialog().getByText(/Farcaster is not responding/)).toBeVisible()
    expect(await violations()).toEqual([])
    script.answers.APP_GET_FARCASTER_URI = () => {
      throw new LatchkeyError('USER_REJECTED')
    }
    await button('Try again').click()
    await expect.element(dialog().getByText('Not signed in')).toBeVisible()
    await expect.element(dialog().getByText(/You did not finish the sign-in/)).toBeVisible()
    delete script.answers.APP_GET_FARCASTER_URI
    await button('Try again').click()
    await expect.element(button('Copy link')).toBeEnabled()
  })

  test('behavior: a page that comes back shows the login at once, and a page that only carried it shows a notice', async () => {
    const challenge = 'C'.repeat(43)
    const here = { href: `${location.href}#latchkey-login=x.${challenge}`, assign: () => {} }
    const replaced = { state: null, replaceState: () => {} }
    const given = pageOpening(() => null, { location: here, history: replaced })
    script.answers.APP_RETURN_SOCIAL = () => ({})
    await show({}, {}, { page: given as never }, { other })
    await expect.element(dialog().getByText('You are signed in')).toBeVisible()
    await expect.element(dialog().getByText(/You can close this tab/)).toBeVisible()
    expect(await violations()).toEqual([])
  })
})
