import {
  listIdentitiesRoute,
  providerNames,
  readMeRoute,
  removeEmailRoute,
  type SignInIdentity,
  type SocialProvider,
  unlinkIdentityRoute,
} from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { fill } from '../locales/en.ts'
import { questions } from '../locales/questions.en.ts'
import { social } from '../locales/social.en.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { buildPrompt, toOneLine } from './parts/prompt.ts'
import type { WithPicture } from './screenQueue.ts'

const t = social.page
type SignIns = {
  identities: readonly SignInIdentity[]
  providers: readonly SocialProvider[]
  beganWithPasskey?: boolean | undefined
}

/** Lists the ways to sign in to the account, adds one, and removes one. */
export function SignInsScreen({
  session,
  origin,
  picture,
  problem,
  done,
}: PageProps & PageEnding & WithPicture) {
  const asker = { session, origin, picture }
  const [signIns, setSignIns] = useState<SignIns>()
  const [email, setEmail] = useState<string | null>(null)
  const [failure, setFailure] = useState('')
  useEffect(() => {
    void session.read().then((found) => setEmail(found?.email ?? null))
    session
      .call(listIdentitiesRoute, {})
      .then(setSignIns, (error: unknown) => setFailure(getErrorMessage(error)))
  }, [session])
  const unlink = ({ id, provider }: SignInIdentity) =>
    done({
      run: async () => {
        await session.call(unlinkIdentityRoute, { id })
      },
      code: {
        action: `unlink ${provider}`,
        about: { text: fill(t.removeText, { provider: providerNames[provider] }) },
      },
    })
  const unlinkEmail = () =>
    done({
      run: async () => {
        const { userId } = await session.call(readMeRoute, {})
        await session.call(removeEmailRoute, {})
        await session.setEmail({ userId, email: null })
      },
      code: { action: 'unlink email', about: { text: t.removeEmailText, target: email ?? '' } },
    })
  const hasPasskey = signIns?.beganWithPasskey === true
  const others = (email === null ? 0 : 1) + (hasPasskey ? 1 : 0)
  const isLast = signIns !== undefined && signIns.identities.length + others < 2
  return (
    <div className="stack">
      <p className="lead">{t.lead}</p>
      {(problem !== undefined || failure) && (
        <p className="notice" data-level="danger" role="alert">
          {failure || getErrorMessage(problem)}
        </p>
      )}
      {!signIns && !failure && <div className="skeleton" aria-busy="true" />}
      <ul className="list">
        {email !== null && (
          <li className="device">
            <div>
              <span className="strong">{t.email}</span>
              <bdi className="small quiet">{email}</bdi>
            </div>
            {(hasPasskey || signIns?.identities.some(({ precedesEmail }) => precedesEmail)) && (
              <ConfirmButton
                kind="link"
                asker={asker}
                question={buildPrompt(questions.unlinkEmail, [
                  { label: questions.email, text: toOneLine(email) },
                ])}
                onPress={unlinkEmail}
              >
                {t.remove}
              </ConfirmButton>
            )}
          </li>
        )}
        {hasPasskey && (
          <li className="device">
            <div>
              <span className="strong">{t.passkey}</span>
              <span className="small quiet">{t.passkeyText}</span>
            </div>
          </li>
        )}
        {signIns?.identities.map((identity) => (
          <li className="device" key={identity.id}>
            <div>
              <span className="strong">{providerNames[identity.provider]}</span>
              <bdi className="small quiet">{identity.name}</bdi>
            </div>
            {!isLast && (
              <ConfirmButton
                kind="link"
                asker={asker}
                question={askToUnlink(identity)}
                onPress={() => unlink(identity)}
              >
                {t.remove}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {isLast && <p className="small quiet">{hasPasskey ? t.lastPasskey : t.last}</p>}
      {signIns?.providers.length === 0 && <p className="small quiet">{t.none}</p>}
      {signIns?.providers.map((provider) => (
        <ConfirmButton
          key={provider}
          kind="quiet"
          asker={asker}
          question={buildPrompt(questions.link, [
            { label: questions.signIn, value: providerNames[provider] },
          ])}
          onPress={() => done({ link: provider })}
        >
          {fill(t.add, { provider: providerNames[provider] })}
        </ConfirmButton>
      ))}
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
const askToUnlink = ({ provider, name }: SignInIdentity) =>
  buildPrompt(questions.unlink, [
    { label: questions.signIn, value: providerNames[provider] },
    { label: questions.name, text: toOneLine(name) },
  ])
