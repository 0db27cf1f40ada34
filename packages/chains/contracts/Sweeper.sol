// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
}

/// Moves deposits to the treasury. Deposit addresses delegate to this contract (EIP-7702) and anybody may call it: it has
/// no storage, no owner and no initialiser, and whatever is asked of it, coins go to the treasury only.
contract Sweeper {
    address public immutable treasury;
    address private immutable self;

    /// Gas that must be left before each call of `sweepMany`, enough for a transfer of any common token. Without it an
    /// estimate would find a limit at which the calls within run out of gas while the transaction succeeds.
    uint256 private constant RESERVE = 150_000;

    constructor(address treasury_) {
        treasury = treasury_;
        self = address(this);
    }

    receive() external payable {}

    /// Sweeps each of `owners`. An owner that fails, or that does not delegate to this contract, stops no other: an owner
    /// was swept only if the token's own event says so.
    /// @param token contract of the token; zero for the native coin
    function sweepMany(address token, address[] calldata owners) external {
        // A delegated address must not call others in its own name.
        require(address(this) == self, "delegated");
        bytes memory data = abi.encodeCall(Sweeper.sweep, (token));
        for (uint256 i = 0; i < owners.length; i++) {
            require(gasleft() > RESERVE, "too little gas");
            address owner = owners[i];
            assembly ("memory-safe") {
                // The outcome is ignored, and nothing that an owner returns is copied.
                pop(call(gas(), owner, 0, add(data, 32), mload(data), 0, 0))
            }
        }
    }

    /// Sends all but one unit of a token, or of the native coin, from this address to the treasury. The unit that stays
    /// makes the next deposit to this address cheaper for its payer.
    function sweep(address token) external {
        address to = treasury;
        bool native = token == address(0);
        uint256 balance = native ? address(this).balance : IToken(token).balanceOf(address(this));
        if (balance <= 1) return;
        // Some tokens return nothing, and some return false instead of reverting: only their event tells.
        (bool done, ) = native
            ? to.call{value: balance - 1}("")
            : token.call(abi.encodeWithSignature("transfer(address,uint256)", to, balance - 1));
        require(done, "transfer failed");
    }
}
