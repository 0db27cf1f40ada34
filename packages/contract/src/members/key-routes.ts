import { z } from 'zod'
import { describeField } from '../kit/describe.ts'
import { merchantRoleNames, merchantRoleTexts, rolesWithoutSession } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { emptyObject, id, unixSeconds, validatedText } from '../kit/schemas.ts'
import { isEmail } from '../kit/validators.ts'

const role = z.enum(merchantRoleNames).meta(
  describeField({
    en: merchantRoleNames.map(name => `\`${name}\`: ${merchantRoleTexts[name].may.en}`).join('. '),
    'zh-CN': merchantRoleNames.map(name => `\`${name}\`：${merchantRoleTexts[name].name['zh-CN']}`).join('，'),
  }),
)

const member = z
  .object({
    id: z.string().meta(describeField({ en: 'ID of the person', 'zh-CN': '成员的 ID' })),
    email: z.string().meta(describeField({ en: 'Email', 'zh-CN': '邮箱' })),
    role,
    since: unixSeconds.meta(
      describeField({ en: 'Since when the person has the role', 'zh-CN': '担任当前角色的起始时间' }),
    ),
  })
  .meta({ id: 'Member', description: 'A person who works for the shop' })

const invitation = z
  .object({
    id: z.string().meta(describeField({ en: 'ID of the invitation', 'zh-CN': '邀请的 ID' })),
    email: z.string().meta(describeField({ en: 'Invited address', 'zh-CN': '受邀邮箱' })),
    role,
    created_time: unixSeconds.meta(describeField({ en: 'When it was sent', 'zh-CN': '发送时间' })),
    expires_time: unixSeconds.meta(describeField({ en: 'When its link ends', 'zh-CN': '链接失效时间' })),
  })
  .meta({ id: 'MemberInvitation', description: 'An invitation that was not accepted yet' })

const newInvitation = z
  .strictObject({
    email: validatedText(isEmail, 'bad_email', { en: 'an email address', 'zh-CN': '邮箱地址' })
      .transform(address => address.toLowerCase())
      .meta(describeField({ en: 'Address that gets the link', 'zh-CN': '接收邀请链接的邮箱' })),
    role: z.enum(rolesWithoutSession).meta(
      describeField({
        en: 'Role of the person. Owners invite owners, finance and developers in the back-office',
        'zh-CN': '成员的角色。所有者、财务和开发角色须由所有者在后台邀请',
      }),
    ),
  })
  .meta({ id: 'NewMemberInvitation', description: 'A person to invite' })

/** Members in the merchant API: what a key does here is never more than an owner allowed it. */
export const memberKeyRoutes = defineRoutes({
  'GET /api/v1/pay/members': {
    auth: 'key',
    scope: 'members',
    summary: {
      en: 'List the people who work for the shop, and the open invitations',
      'zh-CN': '查询商户成员及未接受的邀请',
    },
    docs: { id: 'listMembers', tag: 'Members', errors: ['secret_of_no_owner'] },
    data: z.object({
      list: z.array(member).meta(describeField({ en: 'Members, the first one first', 'zh-CN': '成员，最早的在前' })),
      invitations: z
        .array(invitation)
        .meta(describeField({ en: 'Open invitations, newest first', 'zh-CN': '未接受的邀请，最新的在前' })),
    }),
  },
  'POST /api/v1/pay/members': {
    auth: 'key',
    scope: 'members',
    summary: {
      en: 'Invite a person by mail. The answer does not tell whether the address has an account. Inviting it again ends the earlier link',
      'zh-CN': '通过邮件邀请成员。响应不透露该邮箱是否已有账号；再次邀请会使之前的链接失效',
    },
    docs: {
      id: 'inviteMember',
      tag: 'Members',
      errors: [
        'parameter_error',
        'bad_email',
        'secret_of_no_owner',
        'account_held',
        'member_exists',
        'limit_reached',
        'mail_failed',
      ],
    },
    body: newInvitation,
    data: invitation,
  },
  'POST /api/v1/pay/members/:id/remove': {
    auth: 'key',
    scope: 'members',
    summary: {
      en: 'Remove a person who is no owner. Sessions of the person for the shop end at once',
      'zh-CN': '移除非所有者的成员，其在该商户的登录会话立即失效',
    },
    docs: {
      id: 'removeMember',
      tag: 'Members',
      errors: ['parameter_error', 'secret_of_no_owner', 'member_not_exist', 'member_is_owner'],
    },
    params: z.strictObject({
      id: id.meta(describeField({ en: 'ID of the person', 'zh-CN': '成员的 ID' })),
    }),
    body: emptyObject.optional(),
    data: emptyObject,
  },
})
