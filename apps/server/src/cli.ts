import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { isError } from '@latchkey/wire'
import { pino } from 'pino'
import { readConfig } from './config.ts'
import type { OpenDatabase } from './db/openDatabase.ts'
import { exactOrigins, normalizePattern } from './projects/originAllowed.ts'
import {
  addProject,
  editProject,
  listProjects,
  type Project,
  type ProjectChanges,
} from './projects/projects.ts'
import { StartError } from './startError.ts'

const usage = `Usage:
  latchkey start [--role all|relay]
  latchkey project add --name NAME [--id ID] [--origin ORIGIN]... [--otp-surface frame|host]
  latchkey project edit --id ID [--name NAME] [--origin ORIGIN]... [--any-origin] [--otp-surface frame|host]
  latchkey project list
  latchkey kms create
  latchkey kms rotate [--verify]
  latchkey audit verify

ORIGIN is [scheme://]host[:port]; * stands for one label or a part of one, for example
https://*.example.com or my-app-*-team.example.app. Anyone who can register such a name gets in, so *.vercel.app admits everyone.
Browser extensions are chrome-extension://ID, moz-extension://ID and safari-web-extension://ID.
Without --origin, every origin may use a new project; localhost always may. Embedded wallets are stricter: the secure frame opens only
on origins that the project lists exactly (no *), and on localhost only if that is listed too. project edit replaces the origins with
the given ones, or removes all of them with --any-origin. project add with the id of an existing project changes that project in the
same way. For a phone app, use its bundle id or package name, for example com.example.app.
With --otp-surface host, pages on the origins that the project lists exactly (no *) may pass on the codes of email logins, and see the
account without a confirmation: such a page, and anyone who gets a script into it, can sign in as a user who types a code into it. The
default is frame: codes are typed only into the secure frame. docs/security.md describes the risk.
With the role relay, only the relay runs. Without DATABASE_URL it then accepts every project id.
kms create creates the keyring (KEYRING_DIR, else DATA_DIR/keyring): back it up separately from the database.
kms rotate adds a version to its keys and rewraps all data keys with it. With --verify it adds no version, but opens and
rewraps all data keys, also after an interrupted rotation, and reports whether the rotation has to be repeated. audit verify checks that
the log of the vault is unchanged.
The commands use the server's database, and print which one: set DATABASE_URL or DATA_DIR as for the server. The database of npm start is in
.latchkey, where this command looks first; if LATCHKEY_DATA names another folder, set DATA_DIR to that folder.
`

type Add = Edit & { readonly name: string }
type Edit = ProjectChanges & { readonly id: string }
type Command =
  | { readonly kind: 'help' | 'list' | 'kms create' | 'kms rotate' | 'kms verify' | 'audit verify' }
  | { readonly kind: 'start'; readonly role: string | undefined }
  | ({ readonly kind: 'add' } & Add)
  | ({ readonly kind: 'edit' } & Edit)

const isProject = ({ kind }: Command) => kind === 'add' || kind === 'edit' || kind === 'list'

/** The command in the arguments, or a sentence that describes what is wrong with them. */
function readCommand(args: string[]): Command | string {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { values, positionals } = parsed
  const command = positionals.join(' ')
  if (values.help || command === '') return { kind: 'help' }
  if (command === 'start') return { kind: 'start', role: values.role }
  if (command === 'project list') return { kind: 'list' }
  if (command === 'kms create' || command === 'audit verify') return { kind: command }
  if (command === 'kms rotate') return { kind: values.verify ? 'kms verify' : 'kms rotate' }
  if (command === 'project add' || command === 'project edit')
    return readProject(command === 'project add' ? 'add' : 'edit', values)
  return `There is no command "${command}"`
}

function readProject(
  kind: 'add' | 'edit',
  values: ReturnType<typeof parse>['values'],
): Command | string {
  const name = values.name?.trim()
  if (kind === 'add' && !name) return 'project add needs --name'
  if (name === '') return '--name is empty'
  if (kind === 'edit' && values.id === undefined) return 'project edit needs --id'
  const id = values.id ?? randomBytes(16).toString('hex')
  if (!/^[\w-]{1,128}$/.test(id)) return '--id takes 1 to 128 letters, digits, _ and -'
  const origins: string[] = []
  for (const origin of values.origin ?? []) {
    const pattern = normalizePattern(origin)
    if (pattern === undefined) return `--origin "${origin}" is not [scheme://]host[:port]`
    origins.push(pattern)
  }
  const anyOrigin = values['any-origin'] === true
  if (anyOrigin && origins.length > 0) return 'Give --origin or --any-origin, not both'
  const allowedOrigins = origins.length > 0 || anyOrigin ? origins : undefined
  const otpSurface = values['otp-surface']
  if (otpSurface !== undefined && otpSurface !== 'frame' && otpSurface !== 'host')
    return '--otp-surface takes frame or host'
  if (kind === 'add') return { kind, id, name: name ?? '', allowedOrigins, otpSurface }
  if (name === undefined && allowedOrigins === undefined && otpSurface === undefined)
    return 'project edit needs --name, --origin, --any-origin or --otp-surface'
  return { kind, id, name, allowedOrigins, otpSurface }
}

const parse = (args: string[]) =>
  parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      id: { type: 'string' },
      origin: { type: 'string', multiple: true },
      'any-origin': { type: 'boolean' },
      'otp-surface': { type: 'string' },
      role: { type: 'string' },
      verify: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })

/**
 * Adds a project, or changes the project with this id. Its origins stay unless new origins are
 * given.
 */
async function add(db: OpenDatabase['db'], { id, ...project }: Add): Promise<string> {
  const { name, allowedOrigins = [], otpSurface } = project
  return (await addProject(db, { id, name, allowedOrigins, otpSurface }))
    ? `Added project ${name} with the id ${id}\n`
    : edit(db, { id, ...project })
}

async function edit(db: OpenDatabase['db'], { id, ...changes }: Edit): Promise<string> {
  await editProject(db, { id, ...changes })
  const project = (await listProjects(db)).find((one) => one.id === id)
  return `Changed project ${id}${project ? describeSurface(project) : ''}\n`
}

async function list(db: OpenDatabase['db']): Promise<string> {
  const projects = await listProjects(db)
  if (projects.length === 0)
    return 'No projects. Until you add one, every project id is accepted from this machine\n'
  return projects
    .map(
      ({ id, name, allowedOrigins, otpSurface }) =>
        `${id}  ${name}  ${allowedOrigins.join(' ') || 'any origin'}${describeSurface({ allowedOrigins, otpSurface })}\n`,
    )
    .join('')
}

/** Which pages may pass codes on, if the project lets any. */
function describeSurface({
  allowedOrigins,
  otpSurface,
}: Pick<Project, 'allowedOrigins' | 'otpSurface'>) {
  if (otpSurface === 'frame') return ''
  return `  codes from ${exactOrigins(allowedOrigins).join(' ') || 'no page: it lists no exact origin'}`
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (typeof command === 'string') {
    process.stderr.write(`${command}\n\n${usage}`)
    return 2
  }
  if (command.kind === 'help') {
    process.stdout.write(usage)
    return 0
  }
  if (command.kind === 'start') {
    const { run } = await import('./process/run.ts')
    run({ ...process.env, ...(command.role !== undefined && { ROLE: command.role }) })
    return 0
  }
  const { joinDatabase } = await import('./db/openDatabase.ts')
  const isNew = command.kind === 'add' || command.kind === 'kms create'
  const config = readConfig(process.env)
  const database = await joinDatabase(config, pino({ level: 'silent' }), { isNew })
  if (isProject(command)) process.stderr.write(`Database: ${database.what}\n`)
  try {
    const { background: db } = database
    if (command.kind === 'add') process.stdout.write(await add(db, command))
    else if (command.kind === 'edit') process.stdout.write(await edit(db, command))
    else if (command.kind === 'list') process.stdout.write(await list(db))
    else {
      const { runVaultCommand } = await import('./vault/runCommand.ts')
      const { keyringDir } = config
      const { listSessionKeys } = await import('./smartSessions/sessionKeys.ts')
      const { text, code } = await runVaultCommand(db, {
        dir: keyringDir,
        command: command.kind,
        lists: [listSessionKeys],
      })
      process.stdout.write(text)
      return code
    }
  } finally {
    await database.close()
  }
  return 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(
      `${isError(error) || error instanceof StartError ? error.message : String(error)}\n`,
    )
    process.exitCode = 1
  },
)
