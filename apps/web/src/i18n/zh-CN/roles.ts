import type en from '../en/roles.ts'

const roles: typeof en = {
  refusedPage: '您的角色无权查看此页面',
  refusedPageText: '如需查看，请联系店铺所有者调整您的角色。',
}

export default roles
