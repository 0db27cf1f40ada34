export default {
  "POST /api/operator/v1/passkeys": {
    "button": "Add a passkey",
    "text": "You can then sign in and approve withdrawals with it. Your browser asks where to store it.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "name": {
        "label": "Name",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "DELETE /api/operator/v1/passkeys/:id": {
    "button": "Remove",
    "text": "{name} can no longer be used, and your other sessions end.",
    "done": "Removed",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/operators": {
    "button": "Add operator",
    "text": "They get a one-time link by email, which asks for a password and an authenticator and expires in a day. All owners are notified.",
    "done": "The link was sent to their email. It works once, within a day.",
    "leave": "",
    "unread": "",
    "fields": {
      "email": {
        "label": "Email",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "role": {
        "label": "Role",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/operators/:id": {
    "button": "Change role",
    "text": "The new role of {email} applies from the next request, also in open sessions.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "role": {
        "label": "Role",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/operators/:id/link": {
    "button": "New link",
    "text": "{email} loses password, authenticator and passkeys, is signed out, and gets a link by email. It works once, within a day.",
    "done": "The link was sent to their email. It works once, within a day.",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/operators/:id": {
    "button": "Remove",
    "text": "{email} is signed out at once and can no longer sign in. The log keeps what they did.",
    "done": "Removed",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "PUT /api/operator/v1/alerts": {
    "button": "Change",
    "text": "Sent by email and to the devices below, about what you can act on. Alerts that arise together are one email. Incidents that may stop or lose money are sent at any hour.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-devices": {
    "button": "Show on this device",
    "text": "Alerts appear as notifications of this browser, also while the console is closed and after you signed out. Whoever holds the device reads them, until you remove it here.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-devices/:id/test": {
    "button": "Send a test",
    "text": "{name} gets a test notification now, marked as such.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/alert-devices/:id": {
    "button": "Remove",
    "text": "{name} shows no more alerts.",
    "done": "Removed",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks": {
    "button": "Add a URL",
    "text": "Each alert is sent to the URL as signed JSON at once, at any hour, and again until the answer is 2xx. docs/alerts.md has the form, and relays to PagerDuty, Opsgenie and Slack.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "PUT /api/operator/v1/alert-hooks/:id": {
    "button": "Change",
    "text": "Each alert is sent to the URL as signed JSON at once, at any hour, and again until the answer is 2xx. docs/alerts.md has the form, and relays to PagerDuty, Opsgenie and Slack.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks/:id/renew": {
    "button": "New secret",
    "text": "A new secret signs from now on. The old one signs as well for 24 hours, so that you can replace it there.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks/:id/test": {
    "button": "Send a test",
    "text": "{url} gets a test alert now, marked as such.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/alert-hooks/:id": {
    "button": "Remove",
    "text": "{url} gets no more alerts.",
    "done": "Removed",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/merchants/:id/review": {
    "button": "Approve",
    "text": "The merchant can then receive payments and is notified by email. One person decides; the advanced audit is for requests that need a closer look.",
    "done": "Approved",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/note": {
    "button": "Add note",
    "text": "Only operators see it, not the merchant. It is kept with your name.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "Note",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/documents": {
    "button": "Request documents",
    "text": "The merchant gets a work order with your question by email and notification, and answers with text and pictures.",
    "done": "The merchant was asked",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "Which documents, and what they must show",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/merchants/:id/risk": {
    "button": "Set risk level",
    "text": "While the level is fail or abnormal, every withdrawal waits for an operator. The merchant does not see it.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "risk_level": {
        "label": "Risk level",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/freeze": {
    "button": "Freeze",
    "text": "All sessions end, API keys and sign-ins stop, and withdrawals are not sent. Deposits are still credited. The merchant is notified by email.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "show_reason": {
        "label": "Show the reason to the merchant",
        "hint": "In the email, on open pages and at sign-in. Leave it off where the law or an investigation forbids it.",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/unfreeze": {
    "button": "Unfreeze",
    "text": "API keys work again, and the merchant can sign in again. The merchant is notified by email.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/merchants/:id/terms": {
    "button": "Change",
    "text": "Empty fields use the server’s default. New fees apply to payments first credited, and withdrawals requested, from now on.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/remove-authenticator": {
    "button": "Remove authenticator",
    "text": "Verify the merchant’s identity first. Another operator must do the same; the removal takes effect 24 hours later. The merchant is notified by email and can object.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/lift-hold": {
    "button": "Lift hold",
    "text": "The merchant reported that somebody else used the account. Verify the merchant’s identity first: payments from the account are possible again at once.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/approve": {
    "button": "Approve",
    "text": "This amount will be sent. This cannot be undone:",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/withdrawals/:id/approve-by-passkey": {
    "button": "Approve with a passkey",
    "text": "This amount will be sent. This cannot be undone:",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/withdrawals/:id/reject": {
    "button": "Reject",
    "text": "Nothing is sent, and the amount returns to the balance of the merchant.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason (visible to the merchant)",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/cancel": {
    "button": "Cancel payout",
    "text": "If no transaction was sent, the amount is released at once. Otherwise the transaction is replaced by an empty transfer, and the amount is released once that is final.",
    "done": "Recorded",
    "leave": "Keep payout",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason (visible to the merchant)",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/paid": {
    "button": "Already paid",
    "text": "After a restore: the transaction that has paid it is checked on the chain, and nothing is sent. The withdrawal is then complete, as if this server had sent it.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "txid": {
        "label": "Transaction hash",
        "hint": "Of a final transaction of our hot wallet that this server did not send, as it stands in the explorer.",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/refunds/:id/approve": {
    "button": "Pay again",
    "text": "This amount will be sent. This cannot be undone:",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/refunds/:id/cancel": {
    "button": "Cancel payout",
    "text": "Nothing more is sent, and the amount returns to the balance of the merchant.",
    "done": "Recorded",
    "leave": "Keep payout",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason (visible to the merchant)",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/refunds/:id/paid": {
    "button": "Already paid",
    "text": "After a restore: the transaction that has paid it is checked on the chain, and nothing is sent. The refund is then complete, as if this server had sent it.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "txid": {
        "label": "Transaction hash",
        "hint": "Of a final transaction of our hot wallet that this server did not send, as it stands in the explorer.",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/releases/:owner/:id": {
    "button": "Release with a passkey",
    "text": "The signer then pays this to the address below. This cannot be undone.",
    "done": "Released. It is sent within a minute",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/work-orders/:id/close": {
    "button": "Close the work order",
    "text": "The merchant is notified and can reopen it within 7 days.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/work-orders/:id/reopen": {
    "button": "Reopen",
    "text": "The work order is open for an answer again. The merchant is notified.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/announcements": {
    "button": "Publish announcement",
    "text": "It runs in each merchant’s ticker until it is read or ends.",
    "done": "Announcement published",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/announcements/:id/withdraw": {
    "button": "Withdraw",
    "text": "It leaves the tickers at once. Merchants see that it was withdrawn instead of its text.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/chains/:id/resume": {
    "button": "Resume network",
    "text": "Reading continues from the last common block. Deposits still in doubt stay so.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/chains/:id/reread": {
    "button": "Read again",
    "text": "Final blocks are read again up to {final}. A preview reports what differs as an incident and changes nothing.",
    "done": "It will be read again",
    "leave": "",
    "unread": "",
    "fields": {
      "block": {
        "label": "From block",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "apply": {
        "label": "Differences",
        "hint": "",
        "no": "Only show them",
        "yes": "Correct them"
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/undo": {
    "button": "Undo deposit",
    "text": "The credit of the deposit is reversed. The balance of the merchant becomes smaller.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/credit": {
    "button": "Credit",
    "text": "The merchant is credited in {token} and can withdraw it. It pays no order; the merchant may mark the order as paid.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/return": {
    "button": "Return",
    "text": "The {token} goes back to the address that sent it, less the network fee, as soon as it is swept. An exchange or a contract may not pass it on to the payer: then credit it, and let the merchant pay it back.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/assets/:id/release": {
    "button": "Release token",
    "text": "Deposits of {token} on hold are credited as its logs say, without a comparison.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/assets/:id/refuse": {
    "button": "Refuse token",
    "text": "Deposits of {token} on hold are dropped, and further transfers of it are ignored. It can be released later.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/queues/:id/pause": {
    "button": "Pause",
    "text": "",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/queues/:id/resume": {
    "button": "Resume",
    "text": "{queue} continue at once, the oldest first.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/callbacks/:id/resend": {
    "button": "Resend",
    "text": "One attempt is made now, to {url}. The id stays the same, so the receiver can detect the repetition.",
    "done": "It is sent again",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/wallets/:id/halt": {
    "button": "Halt",
    "text": "Nothing is signed or broadcast from this wallet until it is resumed. Payments are still accepted.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/resume": {
    "button": "Resume wallet",
    "text": "Signing continues with the next nonce. First find out what was sent, and move the funds if the key has leaked.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/cancel": {
    "button": "Cancel nonce",
    "text": "A transaction that is not in a block yet is replaced by an empty transfer to the wallet itself. What it carries is void once that is final.",
    "done": "Recorded",
    "leave": "Keep nonce",
    "unread": "",
    "fields": {
      "nonce": {
        "label": "Nonce",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "reason": {
        "label": "Reason",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/abandon": {
    "button": "Abandon",
    "text": "What it carries counts as not paid, and can be paid again. Do it only if the transaction that used the nonce paid nothing of it.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/empty": {
    "button": "Move all to the treasury",
    "text": "For when the key may have leaked. The wallet is halted, payouts not yet in a block are canceled, and everything it holds goes to the treasury named in the signer’s policy, and nowhere else, until the wallet is resumed.",
    "done": "",
    "leave": "",
    "unread": "Nothing can be moved: the signer’s policy names no treasury for this network, or the signer does not answer.",
    "fields": {
      "reason": {
        "label": "Reason, for other operators to decide by",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/sweep": {
    "button": "Sweep now",
    "text": "All deposits of this network move to the treasury or hot wallet within a minute, whatever they are worth. Gas is paid for each.",
    "done": "Sweep requested",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/incidents/:id/take": {
    "button": "Assign to me",
    "text": "Others see that you work on this incident. Whoever takes it later replaces you.",
    "done": "Recorded",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/incidents/:id/note": {
    "button": "Add note",
    "text": "",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "Note for other operators",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/incidents/:id/close": {
    "button": "Close incident",
    "text": "The incident leaves the list with all that has the same cause. A difference that persists is reported again within ten minutes.",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "What was found and done",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  }
}
