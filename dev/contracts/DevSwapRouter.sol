// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function allowance(address owner, address spender) external view returns (uint256);
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
}

interface IWrapped is IToken {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IPool {
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
}

interface IFactory {
    function getPair(address a, address b) external view returns (IPair);
    function getPool(address a, address b, uint24 fee) external view returns (IPool);
}

/// A router for development chains with the functions of Uniswap's SwapRouter02 that Latchkey
/// calls: a single spender for V2 and V3.
contract DevSwapRouter {
    struct ExactInputParams {
        bytes path;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
    }

    IFactory public immutable factoryV2;
    IFactory public immutable factory;
    IWrapped public immutable WETH9;

    constructor(IFactory factoryV2_, IFactory factoryV3_, IWrapped weth) {
        factoryV2 = factoryV2_;
        factory = factoryV3_;
        WETH9 = weth;
    }

    receive() external payable {
        require(msg.sender == address(WETH9), "Not WETH9");
    }

    function multicall(uint256 deadline, bytes[] calldata data) external payable returns (bytes[] memory results) {
        require(block.timestamp <= deadline, "Transaction too old");
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(data[i]);
            if (!success) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external payable {
        if (IToken(token).allowance(msg.sender, address(this)) < value) {
            IToken(token).permit(msg.sender, address(this), value, deadline, v, r, s);
        }
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable {
        uint256 amount = WETH9.balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient WETH9");
        if (amount == 0) return;
        WETH9.withdraw(amount);
        (bool success,) = recipient.call{value: amount}("");
        require(success, "STE");
    }

    function sweepToken(address token, uint256 amountMinimum, address recipient) external payable {
        uint256 amount = IToken(token).balanceOf(address(this));
        require(amount >= amountMinimum, "Insufficient token");
        if (amount > 0) _transfer(token, recipient, amount);
    }

    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to)
        external
        payable
        returns (uint256 amountOut)
    {
        address recipient = _recipient(to);
        address last = path[path.length - 1];
        _pay(path[0], msg.sender, address(factoryV2.getPair(path[0], path[1])), amountIn);
        uint256 before = IToken(last).balanceOf(recipient);
        for (uint256 i = 0; i < path.length - 1; i++) {
            address next = i < path.length - 2 ? address(factoryV2.getPair(path[i + 1], path[i + 2])) : recipient;
            _swapPair(path[i], path[i + 1], next);
        }
        amountOut = IToken(last).balanceOf(recipient) - before;
        require(amountOut >= amountOutMin, "Too little received");
    }

    /// Counts the amount that the pair received, not the amount sent, so that tokens with a
    /// transfer fee work.
    function _swapPair(address input, address output, address to) private {
        IPair pair = factoryV2.getPair(input, output);
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        (uint256 reserveIn, uint256 reserveOut) = input < output ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 paid = (IToken(input).balanceOf(address(pair)) - reserveIn) * 997;
        uint256 amountOut = (paid * reserveOut) / (reserveIn * 1000 + paid);
        pair.swap(input < output ? 0 : amountOut, input < output ? amountOut : 0, to, "");
    }

    /// Latchkey does not call this, but a token may during a transfer.
    function refundETH() external payable {
        uint256 amount = address(this).balance;
        if (amount == 0) return;
        (bool success,) = msg.sender.call{value: amount}("");
        require(success, "STE");
    }

    function exactInput(ExactInputParams memory params) external payable returns (uint256 amountOut) {
        address payer = msg.sender;
        bytes memory path = params.path;
        uint256 amount = params.amountIn;
        while (true) {
            bool hasMore = path.length >= 66;
            address to = hasMore ? address(this) : _recipient(params.recipient);
            amount = _swapPool(_slice(path, 0, 43), to, amount, payer);
            if (!hasMore) break;
            payer = address(this);
            path = _slice(path, 23, path.length - 23);
        }
        amountOut = amount;
        require(amountOut >= params.amountOutMinimum, "Too little received");
    }

    function _swapPool(bytes memory hop, address to, uint256 amount, address payer) private returns (uint256) {
        (IPool pool, bool zeroForOne) = _find(hop);
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        bytes memory data = abi.encode(hop, payer);
        (int256 amount0, int256 amount1) = pool.swap(to, zeroForOne, int256(amount), limit, data);
        return uint256(-(zeroForOne ? amount1 : amount0));
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata data) external {
        (bytes memory hop, address payer) = abi.decode(data, (bytes, address));
        (IPool pool,) = _find(hop);
        require(msg.sender == address(pool), "Not a pool");
        (address input,,) = _decode(hop);
        _pay(input, payer, msg.sender, uint256(owed0 > 0 ? owed0 : owed1));
    }

    function _find(bytes memory hop) private view returns (IPool pool, bool zeroForOne) {
        (address input, uint24 fee, address output) = _decode(hop);
        return (factory.getPool(input, output, fee), input < output);
    }

    function _pay(address token, address payer, address to, uint256 amount) private {
        if (token == address(WETH9) && address(this).balance >= amount) {
            WETH9.deposit{value: amount}();
            WETH9.transfer(to, amount);
        } else if (payer == address(this)) {
            _transfer(token, to, amount);
        } else {
            _check(token, abi.encodeCall(IToken.transferFrom, (payer, to, amount)), "STF");
        }
    }

    function _transfer(address token, address to, uint256 amount) private {
        _check(token, abi.encodeCall(IToken.transfer, (to, amount)), "ST");
    }

    /// Some tokens return nothing.
    function _check(address token, bytes memory data, string memory reason) private {
        (bool success, bytes memory result) = token.call(data);
        require(success && (result.length == 0 || abi.decode(result, (bool))), reason);
    }

    /// 1 stands for the caller, 2 for the router.
    function _recipient(address to) private view returns (address) {
        return to == address(1) ? msg.sender : to == address(2) ? address(this) : to;
    }

    function _decode(bytes memory hop) private pure returns (address input, uint24 fee, address output) {
        assembly {
            input := shr(96, mload(add(hop, 32)))
            fee := shr(232, mload(add(hop, 52)))
            output := shr(96, mload(add(hop, 55)))
        }
    }

    function _slice(bytes memory data, uint256 start, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i = 0; i < length; i++) part[i] = data[start + i];
    }
}
