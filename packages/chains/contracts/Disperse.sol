// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Pays many receivers of one token from the caller's allowance: all of them exactly, or none. It has no storage and no
/// owner, never holds coins, and spends only what its caller has allowed it.
contract Disperse {
    struct Payment {
        address to;
        uint256 amount;
    }

    /// Calls `transferFrom(msg.sender, to, amount)` for each payment. Some tokens return nothing, some return false instead of
    /// reverting, and some keep a fee, so only the receiver's balance tells whether it was paid. In assembly, because every
    /// payment bears the cost.
    function pay(address token, Payment[] calldata payments) external {
        assembly ("memory-safe") {
            function balanceOf(contractOf, call_) -> units {
                let result := add(call_, 0x40)
                let done := staticcall(gas(), contractOf, call_, 0x24, result, 0x20)
                // An address without code succeeds and returns nothing.
                if or(iszero(done), lt(returndatasize(), 0x20)) { revert(0, 0) }
                units := mload(result)
            }

            let reading := mload(0x40)
            mstore(reading, shl(224, 0x70a08231))
            let moving := add(reading, 0x60)
            mstore(moving, shl(224, 0x23b872dd))
            mstore(add(moving, 0x04), caller())

            let payment := payments.offset
            for { let end := add(payment, shl(6, payments.length)) } lt(payment, end) { payment := add(payment, 0x40) } {
                let to := calldataload(payment)
                let amount := calldataload(add(payment, 0x20))
                mstore(add(reading, 0x04), to)
                mstore(add(moving, 0x24), to)
                mstore(add(moving, 0x44), amount)
                let expected := add(balanceOf(token, reading), amount)
                if iszero(call(gas(), token, 0, moving, 0x64, 0, 0)) { revert(0, 0) }
                if iszero(eq(balanceOf(token, reading), expected)) { revert(0, 0) }
            }
        }
    }
}
