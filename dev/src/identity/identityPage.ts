import { people } from './people.ts'

const names: Record<string, string> = {
  google: 'Google',
  x: 'X',
  discord: 'Discord',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
}

/** The page on which one chooses who signs in, refuses, or fails. */
export function identityPage(provider: string): string {
  const name = names[provider] ?? provider
  const choices = people
    .map((id) => `<button name="account" value="${id}">Sign in as ${id}</button>`)
    .join('\n')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}, for development</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/identity.css"></head>
<body><main><h1>${name}, for development</h1>
<p>This page on your machine simulates ${name}. Nothing is sent to it. Choose who signs in.</p>
<form method="post">${choices}</form>
<form method="post"><label>Somebody else <input name="account" pattern="[a-z0-9.\\-]{1,40}" required></label><button>Sign in</button></form>
<form method="post"><button name="outcome" value="refuse">Do not allow it</button>
<button name="outcome" value="fail">Fail, as if ${name} had an error</button></form></main></body></html>`
}

export const identityStyles = `:root { color-scheme: dark light; font: 15px/1.5 Inter, system-ui, sans-serif }
main { max-width: 380px; margin: 0 auto; padding: 24px } h1 { font-size: 20px }
form { display: grid; gap: 8px; margin: 0 0 24px }
button, input { font: inherit; min-height: 44px; border-radius: 12px; border: 1px solid color-mix(in srgb, currentcolor 30%, transparent); padding: 0 16px; background: transparent; color: inherit }
label { display: grid; gap: 4px }
`
